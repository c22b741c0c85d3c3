import { formatMillis } from '../../../kernel/instant.ts';
import { isJsonObject, type JsonObject } from '../../../kernel/json/value.ts';
import { canSeeProject } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { objectMember, withMembers } from '../documents.ts';
import type { Tell } from '../event-recorder.ts';
import type { MemoryDeps } from '../ports.ts';
import { createEntrance } from '../profile-access.ts';
import type { Profiles } from '../profiles/create.ts';
import { type Profile, selectProfile } from '../profiles/store.ts';
import { type KeyRing, keyBytes, revokeKey, rotateKey } from './rules.ts';
import { type KnownAgent, putAgent, selectAgent } from './store.ts';

/** Who holds keys here: an agent that a project registered, or the person of a profile. */
type Holder =
  | { readonly kind: 'agent'; readonly agent: KnownAgent }
  | { readonly kind: 'person'; readonly profile: Profile; readonly document: JsonObject };

export type Keys = ReturnType<typeof createKeys>;

/** Keys rotate, the DID does not. */
export function createKeys(deps: MemoryDeps, parts: { tell: Tell; profiles: Profiles }) {
  const { clock, record } = deps;
  const { tell, profiles } = parts;
  const { ownProfile } = createEntrance({ profiles, deps });

  /** An agent of the caller's own project, or a profile of their own; anything else is as good as unknown. */
  async function holderFor(reader: Reader, principal: Principal, did: string): Promise<Holder> {
    const agent = await selectAgent(reader, did);
    if (agent && canSeeProject(principal, agent.projectId)) return { kind: 'agent', agent };
    const profile = await ownProfile(reader, principal, did);
    return { kind: 'person', profile, document: await profiles.document(reader, profile) };
  }

  async function change(
    uow: UnitOfWork,
    principal: Principal,
    did: string,
    action: 'rotated' | 'revoked',
    alter: (ring: KeyRing) => { readonly ring: KeyRing; readonly said: JsonObject },
  ): Promise<KeyRing> {
    const holder = await holderFor(uow, principal, did);
    const { ring, said } = alter(ringOf(holder));
    const payload = { did, action, ...said };
    if (holder.kind === 'agent') {
      const { agent } = holder;
      await putAgent(uow, { ...agent, keys: ring });
      const { actor } = principal;
      await record(uow, { projectId: agent.projectId, actor, type: `memory.key_${action}`, payload });
      return ring;
    }
    const { profile, document } = holder;
    const identity = withMembers(objectMember(document, 'identity'), { publicKeys: [...ring] });
    await profiles.replaceDocument(uow, profile, withMembers(document, { identity }));
    await tell(uow, profile, {
      type: `memory.key_${action}`,
      actor: principal.actor,
      payload,
      webhook: `key.${action}`,
      subject: { type: 'profile', id: profile.did },
    });
    return ring;
  }

  return {
    list: async (reader: Reader, principal: Principal, did: string) =>
      ringOf(await holderFor(reader, principal, did)),

    rotate: (uow: UnitOfWork, principal: Principal, did: string, publicKey: string, overlapSeconds: number) =>
      change(uow, principal, did, 'rotated', (before) => {
        const now = clock.now();
        const ring = rotateKey(before, publicKey, { now, overlapSeconds });
        const gracePeriodEnds = formatMillis(now + overlapSeconds * 1_000_000);
        return { ring, said: { newKeyId: ring.at(-1)?.id ?? '', gracePeriodEnds } };
      }),

    revoke: (uow: UnitOfWork, principal: Principal, did: string, keyId: string) =>
      change(uow, principal, did, 'revoked', (before) => ({
        ring: revokeKey(before, keyId, clock.now()),
        said: { keyId },
      })),

    /** The keys that sign for a DID right now, and for whom. A did:key is its own, for ever. */
    async signing(reader: Reader, did: string): Promise<Signing> {
      const agent = await selectAgent(reader, did);
      const profile = await selectProfile(reader, did);
      const now = clock.now();
      if (agent && agent.keys.length > 0)
        return { keys: keyBytes(agent.keys, now), owner: undefined, projectId: agent.projectId };
      if (!profile) return { keys: [], owner: undefined, projectId: agent?.projectId };
      const document = await profiles.document(reader, profile);
      return {
        keys: keyBytes(ringOf({ kind: 'person', profile, document }), now),
        owner: profile.ownerActor,
        projectId: profile.projectId,
      };
    },
  };
}

export interface Signing {
  readonly keys: readonly Uint8Array[];
  /** The person whose profile it is; undefined for an agent. */
  readonly owner: string | undefined;
  readonly projectId: string | undefined;
}

function ringOf(holder: Holder): KeyRing {
  if (holder.kind === 'agent') return holder.agent.keys;
  const { publicKeys } = objectMember(holder.document, 'identity');
  return Array.isArray(publicKeys) ? publicKeys.filter(isJsonObject) : [];
}
