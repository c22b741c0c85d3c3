import type { Reader } from '../../../spine/storage/database.ts';
import { draftMerge } from '../consolidation/rules.ts';
import { type SimilarMemory, similarMemories } from '../consolidation/similar.ts';
import { normalForm } from '../content.ts';
import { contentOf } from '../memories/rules.ts';
import { selectClasses } from '../memories/store.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import { sensitivityRules } from '../registry/categories.ts';
import { selectText } from '../text-store.ts';
import type { ProposalText } from './find.ts';
import type { ProposalRow } from './store.ts';

/** What approving it would mean beside a memory: saying it again, against it, with it, or in general what it says of once. */
export type Relation = 'same' | 'conflict' | 'promotion' | 'merge' | 'related';

export interface KnownBeside {
  readonly memory_id: string;
  readonly content: string;
  readonly relation: Relation;
  /** What one memory in place of the two could say. */
  readonly draft?: string;
}

const SHOWN = 3;
const LOOKED_AT = 6;
/** Below this, two texts share little but their subject. */
const RELATED = 0.35;
const ALIKE = 0.5;

export async function knownBeside(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
  row: ProposalRow,
): Promise<KnownBeside[]> {
  const stored = await selectText(reader, profile.did, row.proposal_id);
  if (!stored) return [];
  const { content } = JSON.parse(stored.body) as ProposalText;
  const classes = await selectClasses(reader, profile.did, await sensitivityRules(reader, profile));
  const near = await similarMemories(reader, deps, profile, content, {
    except: [],
    limit: LOOKED_AT,
    classes: classes.map(({ classId }) => classId),
  });
  return near.flatMap((similar) => beside(row, content, similar) ?? []).slice(0, SHOWN);
}

function beside(row: ProposalRow, content: string, similar: SimilarMemory): KnownBeside | undefined {
  const known = contentOf(similar.memory.document);
  const relation = relationOf(row, content, similar, known);
  if (relation === undefined) return undefined;
  const draft = relation === 'merge' ? { draft: draftMerge([known, content]) } : {};
  return { memory_id: similar.memory.item.memoryId, content: known, relation, ...draft };
}

function relationOf(
  { type, category }: ProposalRow,
  content: string,
  { exact, mayContradict, score, memory }: SimilarMemory,
  known: string,
): Relation | undefined {
  if (exact || normalForm(content) === normalForm(known)) return 'same';
  if (mayContradict) return 'conflict';
  if (score < RELATED) return undefined;
  const of = memory.item.class;
  if (score >= ALIKE && of.type === 'episodic' && type !== 'episodic') return 'promotion';
  const together = of.type === type && topOf(of.category) === topOf(category ?? undefined);
  return score >= ALIKE && together ? 'merge' : 'related';
}

function topOf(category: string | undefined): string | undefined {
  return category?.split('.')[0];
}
