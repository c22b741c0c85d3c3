import { formatMillis } from '../../../kernel/instant.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { undoMerge } from '../consolidation/merge.ts';
import { selectMergesOver } from '../consolidation/store.ts';
import { recordEvent } from '../events.ts';
import { eraseMemory } from '../memories/keep.ts';
import { type ItemFilter, selectClasses, selectItems } from '../memories/store.ts';
import type { MemoryDeps } from '../ports.ts';
import { deleteProfile, type Profile, selectProfile } from '../profiles/store.ts';
import { batchSubject } from '../proposals/batch.ts';
import { PROPOSAL_KIND, showRest } from '../proposals/review.ts';
import { resolveProposal, selectProposal } from '../proposals/store.ts';
import { covers, type Place, parseScope } from '../scope-pattern.ts';
import { deleteText } from '../text-store.ts';
import type { ErasureScope } from './rules.ts';
import {
  addRemoved,
  type Erasure,
  markRemoved,
  type ProposalTextFilter,
  selectErasure,
  selectProposalIdsAbout,
  selectProposalIdsWithText,
  selectProposedPlaces,
} from './store.ts';

/** Few enough that others need not wait for the unit. */
const AT_ONCE = 200;
const PLACES_AT_ONCE = 50;

/**
 * Deletes some of what the erasure is about: rows, texts, salts and their places in the index, in one unit. Answers
 * whether there is more. Afterwards the journal holds ids, and hashes whose salts are gone.
 */
export async function removeSome(uow: UnitOfWork, deps: MemoryDeps, erasureId: string): Promise<boolean> {
  const asked = await selectErasure(uow, erasureId);
  if (asked === undefined) return false;
  await uow.lock(`memory/erasure/${asked.profileDid}`);
  const erasure = (await selectErasure(uow, erasureId)) as Erasure;
  if (erasure.state !== 'removing') return false;
  const profile = await selectProfile(uow, erasure.profileDid);
  const at = formatMillis(deps.clock.now());
  if (!profile) {
    await markRemoved(uow, erasureId, at);
    return false;
  }
  const actor: Actor = { id: erasure.requestedBy, type: 'human' };
  const { memories, proposals, more } = await nextToRemove(uow, profile, erasure.scope, AT_ONCE);
  const whole = erasure.scope.what === 'profile';
  // All merges of a profile that goes as a whole go with it.
  const unmerged = whole ? 0 : await undoMergesOver(uow, deps, profile, actor, memories);
  const about = whole ? [] : await selectProposalIdsAbout(uow, profile.did, memories);
  const closing = [...new Set([...proposals, ...about])];
  let texts = 0;
  for (const id of closing) if (await eraseProposal(uow, deps, profile, actor, id)) texts += 1;
  for (const id of memories) await eraseMemory(uow, deps, profile, id);
  // Imports answer with the profile alone, but the digests of their requests cover everything in them.
  await deps.forgetRequests?.(uow, [profile.did, ...memories, ...closing]);
  const counts = { memories: memories.length, proposals: texts, unmerged };
  await addRemoved(uow, erasureId, counts);
  await recordEvent(uow, deps, profile, {
    type: 'memory.erased',
    actor,
    payload: {
      erasure_id: erasureId,
      what: erasure.scope.what,
      memory_ids: [...memories],
      proposal_ids: closing,
      ...counts,
    },
    webhook: whole && !more ? 'profile.deleted' : 'memory.deleted',
    subject: whole ? { type: 'profile', id: profile.did } : { type: 'memory', id: memories[0] ?? '' },
  });
  if (more) return true;
  if (whole) await deleteProfile(uow, profile.did);
  await markRemoved(uow, erasureId, at);
  return false;
}

interface ToRemove {
  readonly memories: readonly string[];
  readonly proposals: readonly string[];
  /** Whether there may be others. */
  readonly more: boolean;
}

/** The next memories and proposals in the scope, at most `limit` of each. */
export async function nextToRemove(
  reader: Reader,
  { did }: Profile,
  scope: ErasureScope,
  limit: number,
): Promise<ToRemove> {
  switch (scope.what) {
    case 'memory': {
      const found = await selectItems(reader, did, {}, { ids: [scope.target] });
      return { memories: found.map(({ memoryId }) => memoryId), proposals: [], more: false };
    }
    case 'agent': {
      const agentDid = scope.target;
      return some(reader, did, limit, { agentDid }, { agentDid });
    }
    case 'category': {
      const isIn = inCategory(scope.target);
      const classes = (await selectClasses(reader, did, {})).filter(isIn).map(({ classId }) => classId);
      const places = (await selectProposedPlaces(reader, did)).filter(({ type, category }) =>
        isIn({ type, category: category ?? undefined }),
      );
      const found = await some(reader, did, limit, { classes }, { places: places.slice(0, PLACES_AT_ONCE) });
      return { ...found, more: found.more || places.length > PLACES_AT_ONCE };
    }
    default:
      return some(reader, did, limit, {}, {});
  }
}

async function some(
  reader: Reader,
  did: string,
  limit: number,
  items: Pick<ItemFilter, 'agentDid' | 'classes'>,
  texts: ProposalTextFilter,
): Promise<ToRemove> {
  const found = await selectItems(reader, did, {}, { ...items, limit });
  const proposals = await selectProposalIdsWithText(reader, did, texts, limit);
  const more = found.length === limit || proposals.length === limit;
  return { memories: found.map(({ memoryId }) => memoryId), proposals, more };
}

function inCategory(category: string): (place: Place) => boolean {
  const patterns = [category, `${category}.*`].flatMap((text) => parseScope(text) ?? []);
  return (place) => patterns.some((pattern) => covers(pattern, place));
}

/** Merges that repeat what is erased are undone first, so that their other sources are back; of merged merges, the outer first. */
async function undoMergesOver(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  memoryIds: readonly string[],
): Promise<number> {
  let undone = 0;
  for (const id of memoryIds) {
    for (const { mergeId, memoryId } of await selectMergesOver(uow, profile.did, id)) {
      undone += await undoMergesOver(uow, deps, profile, actor, [memoryId]);
      await undoMerge(uow, deps, profile, actor, mergeId);
      undone += 1;
    }
  }
  return undone;
}

/** Whether there was a text left to erase. */
async function eraseProposal(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  proposalId: string,
): Promise<boolean> {
  const row = await selectProposal(uow, proposalId);
  const hadText = await deleteText(uow, profile.did, proposalId);
  const { clock, inbox } = deps;
  const at = formatMillis(clock.now());
  await resolveProposal(uow, proposalId, { status: 'withdrawn', at, by: actor.id, memoryId: null });
  const about = {
    projectId: profile.projectId,
    kind: PROPOSAL_KIND,
    subject: { type: 'memory_proposal', id: proposalId },
  };
  await inbox.supersedeSubject(uow, { ...about, by: actor, reason: 'erased' });
  await inbox.blankSubject(uow, about, `A proposal that was erased (${proposalId})`);
  if (row?.batch_id != null) {
    // What was written beside the others of its card may have been about it.
    const card = batchSubject(profile, row.batch_id);
    await inbox.supersedeSubject(uow, { ...card, by: actor, reason: 'erased' });
    await inbox.blankSubject(uow, card, `Proposals of which some were erased (${row.batch_id})`);
    await showRest(uow, deps, profile, row);
  }
  return hadText;
}
