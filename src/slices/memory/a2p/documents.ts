import type { Micros } from '../../../kernel/clock.ts';
import { toPlain } from '../../../kernel/json/plain.ts';
import { isJsonObject, type JsonObject } from '../../../kernel/json/value.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import {
  arrayKeyOf,
  defaultSensitivity,
  MEMORY_TYPES,
  type SensitivityRules,
  typeOfArrayKey,
} from '../categories.ts';
import { agentGrant } from '../consent/grants.ts';
import { type Grant, mayRead } from '../consent/rules/grant.ts';
import { objectMember } from '../documents.ts';
import type { FoundMemory } from '../memories/read.ts';
import type { MemoryDeps } from '../ports.ts';
import type { AccessedProfile } from '../profile-access.ts';
import { selectProfileDocument } from '../profiles/store.ts';
import { sensitivityRules } from '../registry/categories.ts';
import { liveKeys } from '../registry/rules.ts';
import type { KnownAgent } from '../registry/store.ts';

/** A profile as this caller may see it: the memories found for them, and the structured categories open to them. */
export async function sharedProfile(
  reader: Reader,
  { clock }: MemoryDeps,
  { profile, caller }: AccessedProfile,
  found: readonly FoundMemory[],
) {
  const document = await selectProfileDocument(reader, profile);
  const grant =
    caller.role === 'owner' ? 'all' : (await agentGrant(reader, profile.did, caller.did, clock.now())).grant;
  const memories = sharedCategories(
    objectMember(document, 'memories'),
    grant,
    await sensitivityRules(reader, profile),
  );
  for (const type of MEMORY_TYPES) {
    const own = found.filter(({ memory }) => memory.item.class.type === type);
    if (own.length > 0) memories[arrayKeyOf(type)] = own.map((each) => toPlain(each.document));
  }
  return {
    id: profile.did,
    version: '0.1.0',
    profileType: profile.profileType,
    identity: { did: profile.did },
    memories,
  };
}

/** A registered agent as an a2p profile. */
export function agentProfile(agent: KnownAgent, now: Micros) {
  const keys = keysOf(agent, now);
  return {
    id: agent.did,
    version: '0.1.0',
    profileType: 'agent',
    identity: {
      did: agent.did,
      name: agent.name ?? agent.did,
      ...(keys.length > 0 && { publicKeys: keys.map((key) => ({ ...key, type: 'Ed25519' })) }),
    },
    ...(agent.operatorDid !== undefined && {
      operator: { did: agent.operatorDid, verified: agent.operatorVerified === true },
    }),
  };
}

export function didDocument(agent: KnownAgent, now: Micros) {
  const keys = keysOf(agent, now);
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/ed25519-2020/v1'],
    id: agent.did,
    ...(keys.length > 0 && {
      verificationMethod: keys.map((key) => ({
        ...key,
        type: 'Ed25519VerificationKey2020',
        controller: agent.did,
      })),
      authentication: keys.map(({ id }) => id),
    }),
  };
}

/** The keys that are valid now: during a rotation both the old one and the new one. */
function keysOf({ did, keys }: KnownAgent, now: Micros) {
  return liveKeys(keys, now).map(({ id, publicKeyMultibase }) => ({
    id: `${did}#${id}`,
    publicKeyMultibase,
  }));
}

/** The structured objects beside the arrays: each member is a sub-category, with its own consent. */
function sharedCategories(
  held: JsonObject,
  grant: Grant | 'all',
  rules: SensitivityRules,
): Record<string, unknown> {
  const shared: Record<string, unknown> = {};
  for (const [category, value] of Object.entries(held)) {
    if (typeOfArrayKey(category) !== undefined || !isJsonObject(value)) continue;
    const members = Object.entries(value).filter(
      ([name]) =>
        grant === 'all' || opens(grant, category, rules) || opens(grant, `${category}.${name}`, rules),
    );
    const open = members.filter(([name]) => grant === 'all' || !closes(grant, `${category}.${name}`, rules));
    if (open.length > 0) shared[category] = toPlain(Object.fromEntries(open));
  }
  return shared;
}

function opens(grant: Grant, category: string, rules: SensitivityRules): boolean {
  const sensitivity = defaultSensitivity(category, rules);
  return mayRead(grant, { type: 'semantic', category, sensitivity, scope: [], status: 'approved' });
}

function closes(grant: Grant, category: string, rules: SensitivityRules): boolean {
  const everything: Grant = {
    ...grant,
    allow: [{ text: category, type: undefined, category: { kind: 'exact', name: category } }],
    permissions: new Set(['read_scoped']),
  };
  return !opens(everything, category, rules);
}
