import { formatMillis } from '../../../kernel/instant.ts';
import { isJsonObject } from '../../../kernel/json/value.ts';
import { SYSTEM_ACTOR } from '../../../spine/identity/settings.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { Caller } from '../caller.ts';
import { objectMember } from '../documents.ts';
import type { Memories, Memory } from '../memories/keep.ts';
import { contentOf } from '../memories/rules.ts';
import { selectClasses } from '../memories/store.ts';
import type { Profile } from '../profiles/store.ts';
import type { Proposals } from '../proposals/propose.ts';
import { readProposed } from '../proposals/shape.ts';
import type { Merges } from './merge.ts';
import {
  type Episode,
  judgePromotion,
  PROMOTION_CONFIDENCE,
  PROMOTION_USES,
  type PromotionVerdict,
} from './promotion.ts';

export interface Suggestion {
  readonly memory: Memory;
  readonly verdict: PromotionVerdict;
  /** Similar episodes behind it. */
  readonly similar: readonly string[];
}

/** Who asks in the inbox when an episode has become something known. */
const PROMOTER: Caller = { role: 'owner', did: 'did:a2p:service:local:promotion', actor: SYSTEM_ACTOR };

/** Above this two episodes count as similar: for counting occasions, never for merging. */
const SIMILAR = 0.5;

export type Promotion = ReturnType<typeof createPromotion>;

export function createPromotion(parts: { memories: Memories; merges: Merges; proposals: Proposals }) {
  const { memories, merges, proposals } = parts;

  async function suggestions(reader: Reader, profile: Profile): Promise<Suggestion[]> {
    const { promotion = {} } = profile.settings;
    if (promotion.mode === 'off') return [];
    const classes = (await selectClasses(reader, profile.did)).filter(({ type }) => type === 'episodic');
    const ids = classes.map(({ classId }) => classId);
    const likely = await memories.list(reader, profile, {
      classes: ids,
      statuses: ['approved'],
      // Any of three signs may be the third, which only the episodes together show: then all are looked at.
      ...(promotion.match !== 'any' && {
        above: { confidence: PROMOTION_CONFIDENCE, uses: PROMOTION_USES, match: 'all' },
      }),
    });
    const found: Suggestion[] = [];
    for (const memory of likely) {
      const near = await merges.similar(
        reader,
        profile,
        contentOf(memory.document),
        [memory.item.memoryId],
        20,
        ids,
      );
      const similar = near.filter(({ score }) => score >= SIMILAR).map((each) => each.memory);
      const verdict = judgePromotion(episodeOf(memory), similar.map(episodeOf), promotion);
      if (verdict.action !== 'none')
        found.push({ memory, verdict, similar: similar.map(({ item }) => item.memoryId) });
    }
    return found;
  }

  /** Asked once: neither again while it waits, nor after the person has said no. */
  async function suggest(uow: UnitOfWork, profile: Profile, { memory, similar }: Suggestion): Promise<void> {
    const proposed = readProposed({
      kind: 'reclassification',
      targetMemoryId: memory.item.memoryId,
      memory_type: 'semantic',
      confidence: memory.item.confidence,
      context: `Used ${memory.item.useCount} times, with ${similar.length} similar episodes`,
    });
    if (await proposals.wasDeclined(uow, profile, proposed)) return;
    await proposals.propose(uow, profile, PROMOTER, proposed);
  }

  return {
    suggestions,

    /** Moves the memory where the owner's settings let it, its id kept, on record and to be moved back; else asks. */
    async promoteDue(uow: UnitOfWork, profile: Profile): Promise<number> {
      const due = await suggestions(uow, profile);
      for (const suggestion of due) {
        const { memoryId } = suggestion.memory.item;
        if (suggestion.verdict.action === 'suggest') await suggest(uow, profile, suggestion);
        else await memories.reclassify(uow, profile, memoryId, SYSTEM_ACTOR, 'semantic', 'promotion');
      }
      return due.length;
    },
  };
}

function episodeOf({ item, document }: Memory): Episode {
  const moves = objectMember(document, 'metadata').reclassifications;
  return {
    id: item.memoryId,
    type: item.class.type,
    status: item.status,
    sensitivity: item.class.sensitivity,
    confidence: item.confidence,
    useCount: item.useCount,
    day: formatMillis(item.learned ?? item.since).slice(0, 10),
    session: item.sessionId ?? undefined,
    movedBack: Array.isArray(moves) && moves.some((move) => isJsonObject(move) && move.to === 'episodic'),
  };
}
