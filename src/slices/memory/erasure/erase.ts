import { formatMillis } from '../../../kernel/instant.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { Merges } from '../consolidation/merge.ts';
import type { Tell } from '../event-recorder.ts';
import type { Memories } from '../memories/keep.ts';
import { selectItems } from '../memories/store.ts';
import type { MemoryDeps } from '../ports.ts';
import { deleteProfile, type Profile } from '../profiles/store.ts';
import { PROPOSAL_KIND } from '../proposals/propose.ts';
import { resolveProposal, selectProposals } from '../proposals/store.ts';
import { covers, parseScope } from '../scope-pattern.ts';
import { deleteText, selectText } from '../text-store.ts';

export type Forget =
  | { readonly what: 'memory'; readonly id: string }
  | { readonly what: 'agent'; readonly did: string }
  | { readonly what: 'category'; readonly category: string }
  | { readonly what: 'profile' };

export interface Erased {
  readonly memories: number;
  readonly proposals: number;
  /** Merges that repeated what was erased: undone first, so that their other sources stand again. */
  readonly unmerged: number;
}

export type Erasure = ReturnType<typeof createErasure>;

export function createErasure(deps: MemoryDeps, parts: { tell: Tell; memories: Memories; merges: Merges }) {
  const { db, clock, inbox } = deps;
  const { tell, memories, merges } = parts;

  async function memoriesOf(reader: Reader, profile: Profile, forget: Forget): Promise<string[]> {
    if (forget.what === 'memory') {
      await memories.get(reader, profile, forget.id);
      return [forget.id];
    }
    const items = await selectItems(
      reader,
      profile.did,
      forget.what === 'agent' ? { agentDid: forget.did } : {},
    );
    if (forget.what !== 'category') return items.map(({ memoryId }) => memoryId);
    const patterns = [forget.category, `${forget.category}.*`].flatMap((text) => parseScope(text) ?? []);
    return items
      .filter(({ class: place }) => patterns.some((pattern) => covers(pattern, place)))
      .map(({ memoryId }) => memoryId);
  }

  async function proposalsOf(
    reader: Reader,
    profile: Profile,
    forget: Forget,
    ids: readonly string[],
  ): Promise<string[]> {
    const now = clock.now();
    const all = await selectProposals(reader, profile.did, { now, limit: 1_000_000 });
    const gone = new Set(ids);
    return all
      .filter((row) => {
        if (forget.what === 'profile') return true;
        if (forget.what === 'agent' && row.agent_did === forget.did) return true;
        if ([row.created_memory_id, row.target_memory_id].some((id) => id !== null && gone.has(id)))
          return true;
        const below = forget.what === 'category' && row.category !== null;
        return below && (row.category === forget.category || row.category.startsWith(`${forget.category}.`));
      })
      .map(({ proposal_id }) => proposal_id);
  }

  async function forgetIn(uow: UnitOfWork, profile: Profile, actor: Actor, forget: Forget): Promise<Erased> {
    let unmerged = 0;
    const ids = await memoriesOf(uow, profile, forget);
    for (const id of ids) {
      for (const merge of await merges.standingOver(uow, profile, id)) {
        await merges.undo(uow, profile, actor, merge.mergeId);
        unmerged += 1;
      }
    }
    const proposals = await proposalsOf(uow, profile, forget, ids);
    let texts = 0;
    for (const proposalId of proposals) {
      const row = (await selectText(uow, profile.did, proposalId)) !== undefined;
      if (row) texts += 1;
      await deleteText(uow, profile.did, proposalId);
      await resolveProposal(uow, proposalId, {
        status: 'withdrawn',
        at: formatMillis(clock.now()),
        by: actor.id,
        memoryId: null,
      });
      const about = {
        projectId: profile.projectId,
        kind: PROPOSAL_KIND,
        subject: { type: 'memory_proposal', id: proposalId },
      };
      await inbox.supersedeSubject(uow, { ...about, by: actor, reason: 'erased' });
      await inbox.blankSubject(uow, about, `A proposal that was erased (${proposalId})`);
    }
    for (const id of ids) await memories.erase(uow, profile, id);
    // Imports answer with the profile alone: their digests cover everything that was in them.
    await deps.forgetRequests?.(uow, [profile.did, ...ids, ...proposals]);
    const erased: Erased = { memories: ids.length, proposals: texts, unmerged };
    await tell(uow, profile, {
      type: 'memory.erased',
      actor,
      payload: {
        what: forget.what,
        memory_ids: ids.slice(0, 1000),
        proposal_ids: proposals.slice(0, 1000),
        ...erased,
      },
      webhook: forget.what === 'profile' ? 'profile.deleted' : 'memory.deleted',
      subject:
        forget.what === 'profile'
          ? { type: 'profile', id: profile.did }
          : { type: 'memory', id: ids[0] ?? '' },
    });
    if (forget.what === 'profile') await deleteProfile(uow, profile.did);
    return erased;
  }

  /** The journal keeps ids, hashes whose salts are gone, and this event; of what was said no byte is left in the store. */
  return async (profile: Profile, actor: Actor, forget: Forget): Promise<Erased> => {
    const erased = await db.write((uow) => forgetIn(uow, profile, actor, forget));
    await db.compact();
    return erased;
  };
}
