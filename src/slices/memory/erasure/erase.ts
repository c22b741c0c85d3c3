import { formatMillis } from '../../../kernel/instant.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { undoMerge } from '../consolidation/merge.ts';
import { selectMergesOver } from '../consolidation/store.ts';
import { recordEvent } from '../events.ts';
import { eraseMemory, getMemory } from '../memories/keep.ts';
import { selectItems } from '../memories/store.ts';
import type { MemoryDeps } from '../ports.ts';
import { deleteProfile, type Profile } from '../profiles/store.ts';
import { PROPOSAL_KIND } from '../proposals/review.ts';
import { type ProposalRow, resolveProposal, selectProposals } from '../proposals/store.ts';
import { covers, parseScope } from '../scope-pattern.ts';
import { deleteText } from '../text-store.ts';

/** What to erase: one memory, everything from one agent, everything in one category, or the whole profile. */
export type ErasureScope =
  | { readonly what: 'memory'; readonly id: string }
  | { readonly what: 'agent'; readonly did: string }
  | { readonly what: 'category'; readonly category: string }
  | { readonly what: 'profile' };

export interface ErasureResult {
  readonly memories: number;
  readonly proposals: number;
  /** Merges that repeated what was erased: undone first, so that their other sources are back. */
  readonly unmerged: number;
}

/**
 * Afterwards the journal holds ids, hashes whose salts are gone, and this event; of what was said no byte is left in the
 * store. Opens its own unit, then compacts the store.
 */
export async function erase(
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  scope: ErasureScope,
): Promise<ErasureResult> {
  const erased = await deps.db.write((uow) => eraseIn(uow, deps, profile, actor, scope));
  await deps.db.compact();
  return erased;
}

async function eraseIn(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  scope: ErasureScope,
): Promise<ErasureResult> {
  let unmerged = 0;
  const ids = await memoriesIn(uow, deps, profile, scope);
  for (const id of ids) {
    for (const { mergeId } of await selectMergesOver(uow, profile.did, id)) {
      await undoMerge(uow, deps, profile, actor, mergeId);
      unmerged += 1;
    }
  }
  const rows = await selectProposals(uow, profile.did, { now: deps.clock.now(), limit: 1_000_000 });
  const gone = new Set(ids);
  const proposalIds = rows.filter((row) => isIn(row, scope, gone)).map(({ proposal_id }) => proposal_id);
  let texts = 0;
  for (const proposalId of proposalIds) {
    if (await eraseProposal(uow, deps, profile, actor, proposalId)) texts += 1;
  }
  for (const id of ids) await eraseMemory(uow, deps, profile, id);
  // Imports answer with the profile alone, but the digests of their requests cover everything in them.
  await deps.forgetRequests?.(uow, [profile.did, ...ids, ...proposalIds]);
  const erased: ErasureResult = { memories: ids.length, proposals: texts, unmerged };
  const whole = scope.what === 'profile';
  await recordEvent(uow, deps, profile, {
    type: 'memory.erased',
    actor,
    payload: {
      what: scope.what,
      memory_ids: ids.slice(0, 1000),
      proposal_ids: proposalIds.slice(0, 1000),
      ...erased,
    },
    webhook: whole ? 'profile.deleted' : 'memory.deleted',
    subject: whole ? { type: 'profile', id: profile.did } : { type: 'memory', id: ids[0] ?? '' },
  });
  if (whole) await deleteProfile(uow, profile.did);
  return erased;
}

async function memoriesIn(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
  scope: ErasureScope,
): Promise<string[]> {
  if (scope.what === 'memory') {
    await getMemory(reader, deps, profile, scope.id);
    return [scope.id];
  }
  const filter = scope.what === 'agent' ? { agentDid: scope.did } : {};
  const items = await selectItems(reader, profile.did, {}, filter);
  if (scope.what !== 'category') return items.map(({ memoryId }) => memoryId);
  const patterns = [scope.category, `${scope.category}.*`].flatMap((text) => parseScope(text) ?? []);
  return items
    .filter(({ class: place }) => patterns.some((pattern) => covers(pattern, place)))
    .map(({ memoryId }) => memoryId);
}

/** Proposals inside the scope itself, and those that made or would change an erased memory. */
function isIn(row: ProposalRow, scope: ErasureScope, gone: ReadonlySet<string>): boolean {
  if (scope.what === 'profile') return true;
  if (scope.what === 'agent' && row.agent_did === scope.did) return true;
  if ([row.created_memory_id, row.target_memory_id].some((id) => id !== null && gone.has(id))) return true;
  if (scope.what !== 'category' || row.category === null) return false;
  return row.category === scope.category || row.category.startsWith(`${scope.category}.`);
}

/** Whether there was a text left to erase. */
async function eraseProposal(
  uow: UnitOfWork,
  { clock, inbox }: MemoryDeps,
  profile: Profile,
  actor: Actor,
  proposalId: string,
): Promise<boolean> {
  const hadText = await deleteText(uow, profile.did, proposalId);
  const at = formatMillis(clock.now());
  await resolveProposal(uow, proposalId, { status: 'withdrawn', at, by: actor.id, memoryId: null });
  const about = {
    projectId: profile.projectId,
    kind: PROPOSAL_KIND,
    subject: { type: 'memory_proposal', id: proposalId },
  };
  await inbox.supersedeSubject(uow, { ...about, by: actor, reason: 'erased' });
  await inbox.blankSubject(uow, about, `A proposal that was erased (${proposalId})`);
  return hadText;
}
