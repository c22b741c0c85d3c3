import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import { SYSTEM_ACTOR } from '../../../spine/identity/settings.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { memoryErrors } from '../errors.ts';
import type { Tell } from '../event-recorder.ts';
import { COLLECTION, type Memories, type Memory, memoryIdOf } from '../memories/keep.ts';
import { contentOf } from '../memories/rules.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import { draftMerge } from './draft-merge.ts';
import { isExactDuplicate, mergeMemories, restoreSource } from './rules.ts';
import { mayContradict, wordSimilarity } from './similarity.ts';
import {
  insertMerge,
  type Merge,
  markUndone,
  selectMerge,
  selectMergesOf,
  selectMergesOver,
} from './store.ts';

export interface Candidate {
  readonly memory: Memory;
  /** Shared words and nearness of meaning together: an order, not a verdict. */
  readonly score: number;
  readonly exact: boolean;
  readonly mayContradict: boolean;
}

export type Merges = ReturnType<typeof createMerges>;

export function createMerges(deps: MemoryDeps, parts: { tell: Tell; memories: Memories }) {
  const { clock, random, search } = deps;
  const { tell, memories } = parts;

  /** Approved memories of the profile that resemble a text, the nearest first. */
  async function similar(
    reader: Reader,
    profile: Profile,
    text: string,
    not: readonly string[],
    limit: number,
    classes: readonly number[],
  ): Promise<Candidate[]> {
    if (classes.length === 0) return [];
    const hits = await search.search(reader, {
      projectId: profile.projectId,
      collections: [COLLECTION],
      query: text,
      limit: limit + not.length,
      filter: { attributes: { class: classes.map(String) } },
    });
    const near = new Map(hits.map((hit) => [memoryIdOf(hit.id), hit.similarity ?? 0]));
    const found = await memories.list(reader, profile, {
      ids: [...near.keys()].filter((id) => !not.includes(id)),
    });
    const ranked = found.map((memory) => {
      const content = contentOf(memory.document);
      const words = wordSimilarity(text, content);
      return {
        memory,
        score: (words + Math.max(0, near.get(memory.item.memoryId) ?? 0)) / 2,
        exact: isExactDuplicate({ content: text }, memory.document),
        mayContradict: mayContradict(text, content),
      };
    });
    return ranked.sort((a, b) => b.score - a.score).slice(0, limit);
  }

  async function merge(
    uow: UnitOfWork,
    profile: Profile,
    actor: Actor,
    ids: readonly string[],
    content?: string,
  ): Promise<Merge> {
    const sources = [];
    for (const id of ids) sources.push(await memories.get(uow, profile, id));
    const at = formatMillis(clock.now());
    const merged = mergeMemories({
      id: memories.newId(),
      at,
      content,
      sources: sources.map(({ item, document }) => ({ id: item.memoryId, type: item.class.type, document })),
    });
    for (const [index, source] of merged.archived.entries()) {
      const pinned = sources[index]?.item.pinned ?? false;
      await memories.put(uow, profile, { ...source, pinned });
    }
    const memoryId = merged.document.id as string;
    const row: Merge = {
      mergeId: prefixedId('merge', random),
      memoryId,
      sources: [...ids],
      mergedAt: at,
      mergedBy: actor.id,
      undoneAt: null,
    };
    await insertMerge(uow, profile.did, row);
    await memories.create(
      uow,
      profile,
      actor,
      { id: memoryId, type: merged.type, document: merged.document },
      { merge_id: row.mergeId, consolidated_from: [...ids] },
    );
    return row;
  }

  return {
    similar,
    merge,
    draft: (found: readonly Memory[]) => draftMerge(found.map(({ document }) => contentOf(document))),

    async mergeDuplicates(uow: UnitOfWork, profile: Profile, memoryId: string): Promise<void> {
      const { item, document } = await memories.get(uow, profile, memoryId);
      const alike = await similar(uow, profile, contentOf(document), [memoryId], 20, [item.class.classId]);
      const exact = alike.filter((each) => each.exact).map(({ memory }) => memory.item.memoryId);
      if (exact.length > 0)
        await merge(uow, profile, SYSTEM_ACTOR, [...exact, memoryId], contentOf(document));
    },

    /** The sources stand again as they stood; what the merge said is gone. */
    async undo(uow: UnitOfWork, profile: Profile, actor: Actor, mergeId: string): Promise<Merge> {
      const row = await selectMerge(uow, profile.did, mergeId);
      if (!row) throw memoryErrors.A2P003({ message: 'There is no such merge.' });
      if (row.undoneAt !== null) throw memoryErrors.merge_undone();
      const merged = await memories.get(uow, profile, row.memoryId).catch(() => undefined);
      if (merged?.item.status !== 'approved') throw memoryErrors.merge_undone();
      for (const id of row.sources) {
        const { item, document } = await memories.get(uow, profile, id);
        const restored = restoreSource({ id, type: item.class.type, document });
        await memories.put(uow, profile, { ...restored, pinned: item.pinned });
      }
      await memories.erase(uow, profile, row.memoryId);
      const undoneAt = formatMillis(clock.now());
      await markUndone(uow, mergeId, undoneAt);
      await tell(uow, profile, {
        type: 'memory.unmerged',
        actor,
        payload: { merge_id: mergeId, memoryId: row.memoryId, restored: [...row.sources] },
        webhook: 'memory.deleted',
        subject: { type: 'memory', id: row.memoryId },
      });
      return { ...row, undoneAt };
    },

    /** Merges whose text repeats what this memory says. */
    standingOver: (reader: Reader, profile: Profile, memoryId: string) =>
      selectMergesOver(reader, profile.did, memoryId),
    list: (reader: Reader, profile: Profile) => selectMergesOf(reader, profile.did),
  };
}
