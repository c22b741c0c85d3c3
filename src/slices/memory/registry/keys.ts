/** Keys rotate, the DID does not. */
import { toHex } from '../../../kernel/hex.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { isJsonObject, type JsonObject } from '../../../kernel/json/value.ts';
import { canSeeProject } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { objectMember, withMembers } from '../documents.ts';
import { recordEvent } from '../events.ts';
import type { MemoryDeps } from '../ports.ts';
import { ownProfile, requireVouch } from '../profile-access.ts';
import { type Profile, putProfileDocument, selectProfile, selectProfileDocument } from '../profiles/store.ts';
import { type KeyRing, keyBytes, revokeKey, rotateKey } from './rules.ts';
import { type KnownAgent, putAgent, selectAgent } from './store.ts';

/** Who holds keys here: an agent that a project registered, or the person of a profile. */
type Holder =
  | { readonly kind: 'agent'; readonly agent: KnownAgent }
  | { readonly kind: 'person'; readonly profile: Profile; readonly document: JsonObject };

export async function listKeys(
  reader: Reader,
  deps: MemoryDeps,
  principal: Principal,
  did: string,
): Promise<KeyRing> {
  return ringOf(await holderFor(reader, deps, principal, did));
}

export async function rotateHeldKey(
  uow: UnitOfWork,
  deps: MemoryDeps,
  principal: Principal,
  did: string,
  { publicKey, overlapSeconds }: { readonly publicKey: string; readonly overlapSeconds: number },
): Promise<KeyRing> {
  const holder = await holderFor(uow, deps, principal, did);
  const now = deps.clock.now();
  const ring = rotateKey(ringOf(holder), publicKey, { now, overlapSeconds });
  const gracePeriodEnds = formatMillis(now + overlapSeconds * 1_000_000);
  const payload = { did, action: 'rotated', newKeyId: ring.at(-1)?.id ?? '', gracePeriodEnds };
  await saveRing(uow, deps, principal, holder, ring, 'rotated', payload);
  return ring;
}

export async function revokeHeldKey(
  uow: UnitOfWork,
  deps: MemoryDeps,
  principal: Principal,
  did: string,
  keyId: string,
): Promise<KeyRing> {
  const holder = await holderFor(uow, deps, principal, did);
  const ring = revokeKey(ringOf(holder), keyId, deps.clock.now());
  await saveRing(uow, deps, principal, holder, ring, 'revoked', { did, action: 'revoked', keyId });
  return ring;
}

/** An agent of the caller's own project, or a profile of their own; anything else is treated as unknown. */
async function holderFor(
  reader: Reader,
  deps: MemoryDeps,
  principal: Principal,
  did: string,
): Promise<Holder> {
  const agent = await selectAgent(reader, did);
  if (agent && canSeeProject(principal, agent.projectId)) {
    requireVouch(principal, did);
    return { kind: 'agent', agent };
  }
  const profile = await ownProfile(reader, deps, principal, did);
  return { kind: 'person', profile, document: await selectProfileDocument(reader, profile) };
}

async function saveRing(
  uow: UnitOfWork,
  deps: MemoryDeps,
  { actor }: Principal,
  holder: Holder,
  ring: KeyRing,
  action: 'rotated' | 'revoked',
  payload: JsonObject,
): Promise<void> {
  const type = `memory.key_${action}`;
  if (holder.kind === 'agent') {
    const { agent } = holder;
    await putAgent(uow, { ...agent, keys: ring });
    await deps.record(uow, { projectId: agent.projectId, actor, type, payload });
    return;
  }
  const { profile, document } = holder;
  const identity = withMembers(objectMember(document, 'identity'), { publicKeys: [...ring] });
  const salt = toHex(deps.random.bytes(16));
  await putProfileDocument(uow, profile.did, withMembers(document, { identity }), salt);
  await recordEvent(uow, deps, profile, {
    type,
    actor,
    payload,
    webhook: `key.${action}`,
    subject: { type: 'profile', id: profile.did },
  });
}

export interface SigningKeys {
  readonly keys: readonly Uint8Array[];
  /** The person whose profile it is; undefined for an agent. */
  readonly owner: string | undefined;
  readonly projectId: string | undefined;
}

/** The keys that may sign for a DID right now, and on whose behalf. */
export async function signingKeys(reader: Reader, { clock }: MemoryDeps, did: string): Promise<SigningKeys> {
  const agent = await selectAgent(reader, did);
  const profile = await selectProfile(reader, did);
  const now = clock.now();
  if (agent && agent.keys.length > 0)
    return { keys: keyBytes(agent.keys, now), owner: undefined, projectId: agent.projectId };
  if (!profile) return { keys: [], owner: undefined, projectId: agent?.projectId };
  const document = await selectProfileDocument(reader, profile);
  return {
    keys: keyBytes(ringOf({ kind: 'person', profile, document }), now),
    owner: profile.ownerActor,
    projectId: profile.projectId,
  };
}

function ringOf(holder: Holder): KeyRing {
  if (holder.kind === 'agent') return holder.agent.keys;
  const { publicKeys } = objectMember(holder.document, 'identity');
  return Array.isArray(publicKeys) ? publicKeys.filter(isJsonObject) : [];
}
