import type { Actor } from '../../identity/principal.ts';
import { SYSTEM_ACTOR } from '../../identity/settings.ts';
import { formatMillis } from '../../kernel/instant.ts';
import type { Reader, UnitOfWork } from '../../storage/database.ts';
import type { MemoryDeps } from '../ports.ts';
import { contentOf } from '../rules/memory-facets.ts';
import { type Episode, judgePromotion, type PromotionVerdict } from '../rules/promotion.ts';
import { selectClasses } from '../store/item-store.ts';
import type { Profile } from '../store/profile-store.ts';
import type { Memories, Memory } from './memories.ts';
import type { Merges } from './merges.ts';

export interface Suggestion {
  readonly memory: Memory;
  readonly verdict: PromotionVerdict;
  /** Similar episodes behind it. */
  readonly similar: readonly string[];
}

/** Above this two episodes count as similar: for counting occasions, never for merging. */
const SIMILAR = 0.5;

export type Promotion = ReturnType<typeof createPromotion>;

export function createPromotion(_deps: MemoryDeps, parts: { memories: Memories; merges: Merges }) {
  const { memories, merges } = parts;

  async function suggestions(reader: Reader, profile: Profile): Promise<Suggestion[]> {
    const classes = (await selectClasses(reader, profile.did)).filter(({ type }) => type === 'episodic');
    const ids = classes.map(({ classId }) => classId);
    const episodes = await memories.list(reader, profile, { classes: ids, statuses: ['approved'] });
    const found: Suggestion[] = [];
    for (const memory of episodes) {
      const alone = judgePromotion(episodeOf(memory), [], profile.settings.promotion);
      const any = profile.settings.promotion?.match === 'any';
      if (!any && !(alone.signs.confidence && alone.signs.uses)) continue;
      const near = await merges.similar(
        reader,
        profile,
        contentOf(memory.document),
        [memory.item.memoryId],
        20,
        ids,
      );
      const similar = near.filter(({ score }) => score >= SIMILAR).map((each) => each.memory);
      const verdict = judgePromotion(episodeOf(memory), similar.map(episodeOf), profile.settings.promotion);
      if (verdict.action !== 'none')
        found.push({ memory, verdict, similar: similar.map(({ item }) => item.memoryId) });
    }
    return found;
  }

  return {
    suggestions,

    /** Moves the memory, its id kept; the journal and the memory say so, and it can be moved back. */
    promote: (uow: UnitOfWork, profile: Profile, memoryId: string, actor: Actor) =>
      memories.reclassify(uow, profile, memoryId, actor, 'semantic', 'promotion'),

    /** What the owner's settings let happen without asking. */
    async promoteDue(uow: UnitOfWork, profile: Profile): Promise<number> {
      const due = (await suggestions(uow, profile)).filter(({ verdict }) => verdict.action === 'auto');
      for (const { memory } of due) {
        await memories.reclassify(uow, profile, memory.item.memoryId, SYSTEM_ACTOR, 'semantic', 'promotion');
      }
      return due.length;
    },
  };
}

function episodeOf({ item }: Memory): Episode {
  return {
    id: item.memoryId,
    type: item.class.type,
    status: item.status,
    sensitivity: item.class.sensitivity,
    confidence: item.confidence,
    useCount: item.useCount,
    day: formatMillis(item.learned ?? item.since).slice(0, 10),
    session: item.sessionId ?? undefined,
  };
}
