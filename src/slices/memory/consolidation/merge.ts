import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import { SYSTEM_ACTOR } from '../../../spine/identity/settings.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { strictest } from '../categories.ts';
import { memoryErrors } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { createMemory, eraseMemory, getMemory, newMemoryId, putMemory } from '../memories/keep.ts';
import { contentOf } from '../memories/rules.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import { mergeMemories, restoreSource } from './rules.ts';
import { similarMemories } from './similar.ts';
import { insertMerge, type Merge, markUndone, selectMerge } from './store.ts';

/** One memory out of several, whose sources are archived until the merge is undone. Drafts the text unless given. */
export async function merge(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  ids: readonly string[],
  content?: string,
): Promise<Merge> {
  const sources = [];
  for (const id of ids) sources.push(await getMemory(uow, deps, profile, id));
  const at = formatMillis(deps.clock.now());
  const memoryId = newMemoryId(deps);
  const { type, document, archived } = mergeMemories({
    id: memoryId,
    at,
    content,
    sensitivity: strictest(sources.map(({ item }) => item.class.sensitivity)),
    sources: sources.map(({ item, document }) => ({ id: item.memoryId, type: item.class.type, document })),
  });
  for (const [index, source] of archived.entries()) {
    const pinned = sources[index]?.item.pinned ?? false;
    await putMemory(uow, deps, profile, { ...source, pinned });
  }
  const row: Merge = {
    mergeId: prefixedId('merge', deps.random),
    memoryId,
    sources: [...ids],
    mergedAt: at,
    mergedBy: actor.id,
    undoneAt: null,
  };
  await insertMerge(uow, profile.did, row);
  const origin = { merge_id: row.mergeId, consolidated_from: [...ids] };
  await createMemory(uow, deps, profile, actor, { id: memoryId, type, document }, origin);
  return row;
}

/** Merges a memory with those that say exactly the same, if there are any. */
export async function mergeDuplicates(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  memoryId: string,
): Promise<void> {
  const { item, document } = await getMemory(uow, deps, profile, memoryId);
  const content = contentOf(document);
  const alike = await similarMemories(uow, deps, profile, content, {
    except: [memoryId],
    limit: 20,
    classes: [item.class.classId],
  });
  const exact = alike.filter((each) => each.exact).map(({ memory }) => memory.item.memoryId);
  if (exact.length > 0) await merge(uow, deps, profile, SYSTEM_ACTOR, [...exact, memoryId], content);
}

/** The sources are back as they were before; the merged memory is erased. */
export async function undoMerge(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  mergeId: string,
): Promise<Merge> {
  const row = await selectMerge(uow, profile.did, mergeId);
  if (!row) throw memoryErrors.A2P003({ message: 'There is no such merge.' });
  if (row.undoneAt !== null) throw memoryErrors.merge_undone();
  const merged = await getMemory(uow, deps, profile, row.memoryId).catch(() => undefined);
  if (merged?.item.status !== 'approved') throw memoryErrors.merge_undone();
  for (const id of row.sources) {
    const { item, document } = await getMemory(uow, deps, profile, id);
    const restored = restoreSource({ id, type: item.class.type, document });
    await putMemory(uow, deps, profile, { ...restored, pinned: item.pinned });
  }
  await eraseMemory(uow, deps, profile, row.memoryId);
  const undoneAt = formatMillis(deps.clock.now());
  await markUndone(uow, mergeId, undoneAt);
  await recordEvent(uow, deps, profile, {
    type: 'memory.unmerged',
    actor,
    payload: { merge_id: mergeId, memoryId: row.memoryId, restored: [...row.sources] },
    webhook: 'memory.deleted',
    subject: { type: 'memory', id: row.memoryId },
  });
  return { ...row, undoneAt };
}
