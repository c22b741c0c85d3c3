import { formatMillis } from '../../../kernel/instant.ts';
import { asRecords } from '../../../kernel/json/loose.ts';
import { SYSTEM_ACTOR } from '../../../spine/identity/settings.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { objectMember } from '../documents.ts';
import { reclassifyMemory } from '../memories/change.ts';
import { listMemories, type Memory } from '../memories/keep.ts';
import { contentOf } from '../memories/rules.ts';
import { selectClasses } from '../memories/store.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Caller } from '../profile-access.ts';
import type { Profile } from '../profiles/store.ts';
import { wasDeclinedBefore } from '../proposals/find.ts';
import { propose } from '../proposals/propose.ts';
import { readProposal } from '../proposals/shape.ts';
import { sensitivityRules } from '../registry/categories.ts';
import {
  type Episode,
  judgePromotion,
  PROMOTION_CONFIDENCE,
  PROMOTION_USES,
  type PromotionVerdict,
} from './rules.ts';
import { similarMemories } from './similar.ts';

export interface Suggestion {
  readonly memory: Memory;
  readonly verdict: PromotionVerdict;
  /** Ids of the similar episodes behind it. */
  readonly similar: readonly string[];
}

/** The requester that the inbox shows for a suggested promotion. */
const PROMOTER: Caller = { role: 'owner', did: 'did:a2p:service:local:promotion', actor: SYSTEM_ACTOR };

/** From this score on, two episodes count as similar: for counting occasions, never for merging. */
const SIMILAR = 0.5;

/** The episodes that have become general knowledge, by the profile's own settings. */
export async function promotionSuggestions(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
): Promise<Suggestion[]> {
  const { promotion = {} } = profile.settings;
  if (promotion.mode === 'off') return [];
  const classes = await episodicClasses(reader, profile);
  const likely = await listMemories(reader, deps, profile, {
    classes,
    statuses: ['approved'],
    // One sign only shows in the episodes together: where any sign is enough, all of them have to be looked at.
    ...(promotion.match !== 'any' && {
      above: { confidence: PROMOTION_CONFIDENCE, uses: PROMOTION_USES, match: 'all' },
    }),
  });
  const found: Suggestion[] = [];
  for (const memory of likely) {
    const except = [memory.item.memoryId];
    const filter = { except, limit: 20, classes };
    const near = await similarMemories(reader, deps, profile, contentOf(memory.document), filter);
    const similar = near.filter(({ score }) => score >= SIMILAR).map((each) => each.memory);
    const verdict = judgePromotion(episodeOf(memory), similar.map(episodeOf), promotion);
    if (verdict.action !== 'none')
      found.push({ memory, verdict, similar: similar.map(({ item }) => item.memoryId) });
  }
  return found;
}

async function episodicClasses(reader: Reader, profile: Profile): Promise<number[]> {
  const classes = await selectClasses(reader, profile.did, await sensitivityRules(reader, profile));
  return classes.filter(({ type }) => type === 'episodic').map(({ classId }) => classId);
}

/** Promotes where the owner's settings allow it, keeping the id and a record so that it can be undone; else asks. */
export async function promoteDue(uow: UnitOfWork, deps: MemoryDeps, profile: Profile): Promise<void> {
  for (const suggestion of await promotionSuggestions(uow, deps, profile)) {
    const { memoryId } = suggestion.memory.item;
    if (suggestion.verdict.action === 'suggest') await suggest(uow, deps, profile, suggestion);
    else await reclassifyMemory(uow, deps, profile, SYSTEM_ACTOR, memoryId, 'semantic', 'promotion');
  }
}

/** Asks once: not again while the proposal waits, nor after the person has declined it. */
async function suggest(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  { memory, similar }: Suggestion,
): Promise<void> {
  const proposed = readProposal({
    kind: 'reclassification',
    targetMemoryId: memory.item.memoryId,
    memory_type: 'semantic',
    confidence: memory.item.confidence,
    context: `Used ${memory.item.useCount} times, with ${similar.length} similar episodes`,
  });
  if (await wasDeclinedBefore(uow, deps, profile, proposed)) return;
  await propose(uow, deps, profile, PROMOTER, proposed);
}

function episodeOf({ item, document }: Memory): Episode {
  const moves = asRecords(objectMember(document, 'metadata').reclassifications);
  return {
    id: item.memoryId,
    type: item.class.type,
    status: item.status,
    sensitivity: item.class.sensitivity,
    confidence: item.confidence,
    useCount: item.useCount,
    day: formatMillis(item.learned ?? item.since).slice(0, 10),
    session: item.sessionId ?? undefined,
    movedBack: moves.some((move) => move.to === 'episodic'),
  };
}
