/**
 * How often the right session or turn is among the first answers: the stored index with its defaults, without each part
 * of its ranking, and what others use beside it, on the same documents and questions.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unboundedWork } from '../../src/platform/bounded-work/bounded-work.ts';
import { withWorkDone } from '../../src/platform/bounded-work/work-needed.ts';
import type { SearchDocument } from '../../src/spine/search/document.ts';
import { RANKING_PARTS } from '../../src/spine/search/rules/ranking.ts';
import { createSearchIndex, type SearchIndex } from '../../src/spine/search/search-index.ts';
import { searchMigrations } from '../../src/spine/search/store/migrations.ts';
import { createStaticEmbedder } from '../../src/spine/search/vectors/static-embedder.ts';
import type { Database } from '../../src/spine/storage/database.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';
import type { BenchCase, Fact } from '../harness.ts';
import {
  corporaFolder,
  type LoCoMoConversation,
  type LongMemEvalQuestion,
  readLoCoMo,
  readLongMemEval,
  type Session,
} from '../retrieval/corpora.ts';
import { PEERS } from '../retrieval/peers.ts';
import { crossValidated, interval, type Outcome, outcomeOf } from '../retrieval/statistics.ts';

/** What of the questions of one set each contender got right. */
class Scores {
  readonly groups: string[] = [];
  readonly types: string[] = [];
  readonly outcomes = new Map<string, Outcome[]>();

  question(group: string, type: string): void {
    this.groups.push(group);
    this.types.push(type);
  }

  add(contender: string, ranked: readonly string[], gold: ReadonlySet<string>): void {
    const list = this.outcomes.get(contender) ?? [];
    list.push(outcomeOf(ranked, gold));
    this.outcomes.set(contender, list);
  }
}

const OURS = 'Baton';
const WITHOUT = RANKING_PARTS.map((part) => [`Baton without ${part}`, part] as const);

export const benchCase: BenchCase = {
  name: 'retrieval',
  title: 'Retrieval: recall on the development sets of LongMemEval and LoCoMo, with ablations and peers',
  async prepare() {
    const folder = await mkdtemp(join(tmpdir(), 'baton-retrieval-'));
    const db = await openDatabase(`sqlite:${join(folder, 'bench.db')}`);
    try {
      await db.migrate(searchMigrations);
      const embedder = createStaticEmbedder();
      const clock = { now: () => 0 };
      const indexes = new Map<string, SearchIndex>([
        [OURS, createSearchIndex({ embedder, clock })],
        ...WITHOUT.map(
          ([name, part]) => [name, createSearchIndex({ embedder, clock, without: [part] })] as const,
        ),
      ]);
      const questions = readLongMemEval(corporaFolder());
      const conversations = readLoCoMo(corporaFolder());
      if (questions === undefined || conversations === undefined) {
        throw new Error(`The corpora are not in ${corporaFolder()}; set BATON_CORPORA to their folder.`);
      }
      const { all, official } = await measureLongMemEval(db, indexes, questions);
      const locomo = await measureLoCoMo(db, indexes, conversations);
      return {
        facts: [
          ...factsOf('LongMemEval ALL', all, { any5: 98.5, all5: 91 }),
          ...factsOf('LongMemEval OFFICIAL', official, {}),
          ...factsOf('LoCoMo session', locomo.session, { any5: 94 }),
          ...factsOf('LoCoMo turn', locomo.turn, { any5: 68, any10: 78 }),
          {
            name: 'LoCoMo questions left out, their evidence being unusable',
            value: locomo.dropped,
            unit: '',
          },
        ],
      };
    } finally {
      await db.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const MEASURES = ['any5', 'all5', 'any10'] as const;
type Measure = (typeof MEASURES)[number];
type Goals = Partial<Record<Measure, number>>;

/** Ours as a whole, by type and cross-validated; then without each part, and the peers. */
function factsOf(set: string, scores: Scores, goals: Goals): Fact[] {
  const ours = scores.outcomes.get(OURS) ?? [];
  const variants = new Map([...scores.outcomes].filter(([name]) => !PEERS.has(name)));
  const worth = (outcomes: readonly Outcome[]) => share(outcomes, 'any5') + share(outcomes, 'all5');
  const validated = crossValidated(variants, scores.groups, worth);
  const types = [...new Set(scores.types)];
  const lines: readonly (readonly [name: string, outcomes: readonly Outcome[], goals: Goals])[] = [
    [OURS, ours, goals],
    [`cross-validated (${[...new Set(validated.chosen)].join(', ')})`, validated.outcomes, {}],
    ...(types.length > 1
      ? types.map((type) => [type, ours.filter((_, at) => scores.types[at] === type), {}] as const)
      : []),
    ...[...scores.outcomes]
      .filter(([name]) => name !== OURS)
      .map(([name, outcomes]) => [name, outcomes, {}] as const),
  ];
  return lines.flatMap(([name, outcomes, wanted]) =>
    MEASURES.map((measure) => factOf(`${set}, ${name}`, outcomes, measure, wanted[measure])),
  );
}

function factOf(name: string, outcomes: readonly Outcome[], measure: Measure, goal?: number): Fact {
  const hits = outcomes.filter((outcome) => outcome[measure]).length;
  const [low, high] = interval(hits, outcomes.length);
  const value = rounded((100 * hits) / outcomes.length);
  const fact = {
    name: `${name} (${outcomes.length}): ${measure.replace(/(\d+)$/, '@$1')} [${rounded(low)}, ${rounded(high)}]`,
    value,
    unit: '%',
  };
  return goal === undefined ? fact : { ...fact, goal: { text: `at least ${goal}`, met: value >= goal } };
}

function share(outcomes: readonly Outcome[], measure: Measure): number {
  return outcomes.filter((outcome) => outcome[measure]).length / Math.max(1, outcomes.length);
}

const rounded = (value: number) => Math.round(10 * value) / 10;

/**
 * ALL: every question, gold = the answer's sessions. OFFICIAL: abstentions and questions without a user turn that has
 * the answer are dropped, gold = sessions with such a turn.
 */
async function measureLongMemEval(
  db: Database,
  indexes: ReadonlyMap<string, SearchIndex>,
  questions: readonly LongMemEvalQuestion[],
) {
  const all = new Scores();
  const official = new Scores();
  for (const { id, type, question, askedAt, gold, sessions } of questions) {
    const documents = sessions.map((session, at) => sessionDocument(id, session, String(at)));
    await add(db, indexes.get(OURS) as SearchIndex, documents);
    const answered = officialGold(gold, sessions);
    const isOfficial = !id.endsWith('_abs') && answered.size > 0;
    all.question(id, type);
    if (isOfficial) official.question(id, type);
    // Some haystacks are dated after their question; the question's date is what relative dates count from.
    const request = { projectId: id, query: question, limit: 10, now: askedAt };
    for await (const [name, found] of answersOf(db, indexes, request, documents)) {
      const ranked = found.map((number) => sessions[Number(number)]?.id ?? '');
      all.add(name, ranked, gold);
      if (isOfficial) official.add(name, ranked, answered);
    }
  }
  return { all, official };
}

function officialGold(gold: ReadonlySet<string>, sessions: readonly Session[]): ReadonlySet<string> {
  const answered = sessions.filter(({ turns }) =>
    turns.some(({ speaker, hasAnswer }) => speaker === 'user' && hasAnswer),
  );
  return new Set(answered.map(({ id }) => id).filter((id) => gold.has(id)));
}

interface Asked {
  readonly projectId: string;
  readonly query: string;
  readonly limit: number;
  readonly now: number;
  readonly collections?: readonly string[];
}

/** What each contender finds. The variants share one index: they differ in the ranking alone. */
async function* answersOf(
  db: Database,
  indexes: ReadonlyMap<string, SearchIndex>,
  request: Asked,
  documents: readonly SearchDocument[],
  peers?: ReadonlyMap<string, (query: string) => Promise<readonly string[]>>,
): AsyncGenerator<readonly [string, readonly string[]]> {
  for (const [name, index] of indexes) {
    const hits = await db.read((reader) => index.search(reader, request));
    yield [name, hits.map(({ id }) => id)];
  }
  for (const [name, find] of peers ?? (await peersOver(documents))) yield [name, await find(request.query)];
}

async function peersOver(documents: readonly SearchDocument[]) {
  const plain = documents.map(({ id, fields }) => ({ id, text: fields.map(({ text }) => text).join('\n') }));
  const ready = new Map<string, (query: string) => Promise<readonly string[]>>();
  for (const [name, peer] of PEERS) ready.set(name, await peer(plain));
  return ready;
}

async function measureLoCoMo(
  db: Database,
  indexes: ReadonlyMap<string, SearchIndex>,
  conversations: readonly LoCoMoConversation[],
) {
  const scores = { session: new Scores(), turn: new Scores() };
  let dropped = 0;
  for (const conversation of conversations) {
    const { id: projectId, sessions, questions } = conversation;
    dropped += conversation.dropped;
    const documents = {
      session: sessions.map((one) => sessionDocument(projectId, one, one.id)),
      turn: sessions.flatMap((one) => turnDocuments(projectId, one)),
    };
    const now = Math.max(...sessions.map(({ micros }) => micros));
    for (const collection of ['session', 'turn'] as const) {
      await add(db, indexes.get(OURS) as SearchIndex, documents[collection]);
      const peers = await peersOver(documents[collection]);
      for (const { question, evidence } of questions) {
        scores[collection].question(projectId, '');
        const gold =
          collection === 'turn' ? evidence : new Set([...evidence].map((id) => id.split(':')[0] ?? ''));
        const request = { projectId, collections: [collection], query: question, limit: 10, now };
        for await (const [name, found] of answersOf(db, indexes, request, [], peers)) {
          scores[collection].add(name, found, gold);
        }
      }
    }
  }
  return { ...scores, dropped };
}

function sessionDocument(projectId: string, { turns, micros }: Session, id: string): SearchDocument {
  const fields = turns.map(({ speaker, text }) => ({ name: speaker, text: speechOf(speaker, text) }));
  return { projectId, collection: 'session', id, time: micros, fields };
}

function turnDocuments(
  projectId: string,
  { turns, micros, turnIds }: LoCoMoConversation['sessions'][number],
) {
  return turns.map(({ speaker, text }, at): SearchDocument => {
    const fields = [{ name: speaker, text: speechOf(speaker, text) }];
    return { projectId, collection: 'turn', id: turnIds[at] ?? '', time: micros, fields };
  });
}

/** People's names are part of what was said; the roles of a chat with a model are not. */
function speechOf(speaker: string, text: string): string {
  return speaker === 'user' || speaker === 'assistant' ? text : `${speaker}: ${text}`;
}

async function add(db: Database, index: SearchIndex, documents: readonly SearchDocument[]): Promise<void> {
  await withWorkDone(unboundedWork, () =>
    db.write(async (uow) => {
      for (const document of documents) index.index(uow, document);
    }),
  );
}
