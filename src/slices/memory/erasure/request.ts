import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { canSeeProject, isOwner } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { memoryErrors } from '../errors.ts';
import type { MemoryDeps } from '../ports.ts';
import { ownProfile, ownsProfile, visibleProfile } from '../profile-access.ts';
import { type Profile, selectProfiles } from '../profiles/store.ts';
import { nextToRemove } from './remove.ts';
import type { ErasureScope } from './rules.ts';
import { type Erasure, insertErasure, selectErasure, selectErasures } from './store.ts';

export const ERASURE_JOB = 'memory.erasure';

/** Who asked waits for the work itself; the job is for a process that dies meanwhile. */
const TAKE_OVER_AFTER = 30_000_000;
/** Bytes may be held for as long as somebody reads; it is tried, ever more seldom, until they are gone. */
const TRIES = 100_000;

/**
 * The erasure for this request: a new one, the same one while it is under way, and the finished one where it has left
 * nothing to erase. So a request that is repeated, because its answer was lost, is answered and not refused.
 */
export async function requestErasure(
  uow: UnitOfWork,
  deps: MemoryDeps,
  principal: Principal,
  did: string | undefined,
  scope: ErasureScope,
): Promise<Erasure> {
  const profile = await profileToErase(uow, principal, did, scope);
  if (!profile) {
    const earlier = await earlierOf(uow, principal, did, scope);
    if (earlier) return earlier;
  }
  const own = profile ?? (await ownProfile(uow, deps, principal, did));
  await uow.lock(`memory/erasure/${own.did}`);
  const [earlier] = await selectErasures(uow, { profileDid: own.did, scope, limit: 1 });
  if (earlier && earlier.state !== 'done') return earlier;
  const left = await nextToRemove(uow, own, scope, 1);
  if (left.memories.length + left.proposals.length === 0 && scope.what !== 'profile') {
    if (earlier) return earlier;
    if (scope.what === 'memory')
      throw memoryErrors.A2P003({ message: 'There is no such memory.', details: { id: scope.target } });
  }
  return begin(uow, deps, own, principal, scope);
}

async function begin(
  uow: UnitOfWork,
  { clock, random, jobs }: MemoryDeps,
  profile: Profile,
  { actor }: Principal,
  scope: ErasureScope,
): Promise<Erasure> {
  const now = clock.now();
  const erasureId = prefixedId('erasure', random);
  const { did: profileDid, projectId, ownerActor } = profile;
  const requestedAt = formatMillis(now);
  const made = { erasureId, projectId, profileDid, ownerActor, scope, requestedBy: actor.id, requestedAt };
  await insertErasure(uow, made, now);
  await jobs.enqueue(uow, {
    kind: ERASURE_JOB,
    key: erasureId,
    projectId,
    due: now + TAKE_OVER_AFTER,
    maxAttempts: TRIES,
  });
  return (await selectErasure(uow, erasureId)) as Erasure;
}

/**
 * A whole profile is erased only where it is named or the caller's own: "the project's first" would be the next
 * person's when the request is repeated.
 */
async function profileToErase(
  reader: Reader,
  principal: Principal,
  did: string | undefined,
  { what }: ErasureScope,
): Promise<Profile | undefined> {
  if (did !== undefined) {
    const named = await visibleProfile(reader, principal, did);
    return named && ownsProfile(principal, named) ? named : undefined;
  }
  const own = (await selectProfiles(reader, principal.defaultProject)).find(
    (each) => each.ownerActor === principal.actor.id && ownsProfile(principal, each),
  );
  if (own || what !== 'profile') return own;
  const [earlier] = await selectErasures(reader, {
    projectId: principal.defaultProject,
    ownerActor: principal.actor.id,
    limit: 1,
  });
  if (earlier) return undefined;
  throw memoryErrors.memory_profile_missing({
    message: 'You have no memory profile in this project.',
    next: 'Name the profile to erase with `profile`.',
  });
}

async function earlierOf(
  reader: Reader,
  principal: Principal,
  did: string | undefined,
  scope: ErasureScope,
): Promise<Erasure | undefined> {
  const of = did === undefined ? { ownerActor: principal.actor.id } : { profileDid: did };
  const [earlier] = await selectErasures(reader, { ...of, scope, limit: 1 });
  return earlier && maySee(principal, earlier) ? earlier : undefined;
}

/** Its person, who asked for it in their place, or the owner of the server. */
export function maySee(principal: Principal, { projectId, ownerActor, requestedBy }: Erasure): boolean {
  if (principal.actor.type !== 'human' || !canSeeProject(principal, projectId)) return false;
  return [ownerActor, requestedBy].includes(principal.actor.id) || isOwner(principal);
}
