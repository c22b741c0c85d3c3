/**
 * How often the right session or turn is among the first answers: the stored index with its defaults, without each part
 * of its ranking, and what others use beside it, on the same documents and questions.
 *
 * The whole takes a quarter of an hour; in parts, each with a table over the parts that are there:
 * `for n in 1 2 3 4; do BATON_BENCH_PART=$n/4 npm run bench -- retrieval; done`
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unboundedWork } from '../../src/platform/bounded-work/bounded-work.ts';
import { withWorkDone } from '../../src/platform/bounded-work/work-needed.ts';
import type { SearchDocument } from '../../src/spine/search/document.ts';
import { RANKING_PARTS } from '../../src/spine/search/rules/ranking.ts';
import { createSearchIndex, type SearchIndex } from '../../src/spine/search/search-index.ts';
import { searchMigrations } from '../../src/spine/search/store/migrations.ts';
import { createStaticEmbedder } from '../../src/spine/search/vectors/static-embedder.ts';
import type { Database } from '../../src/spine/storage/database.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';
import type { BenchCase } from '../harness.ts';
import {
  corporaFolder,
  type LoCoMoConversation,
  type LongMemEvalQuestion,
  readLoCoMo,
  readLongMemEval,
  type Session,
} from '../retrieval/corpora.ts';
import { inPart, keepPart, partAsked } from '../retrieval/parts.ts';
import { PEERS } from '../retrieval/peers.ts';
import { factsOf, OURS, Scores, type ScoresData } from '../retrieval/scores.ts';

const WITHOUT = RANKING_PARTS.map((part) => [`${OURS} without ${part}`, part] as const);
const VARIANTS = new Set([OURS, ...WITHOUT.map(([name]) => name)]);

const RESULTS = join(dirname(fileURLToPath(import.meta.url)), '..', 'results', 'retrieval-parts');

interface PartResult {
  readonly all: ScoresData;
  readonly official: ScoresData;
  readonly session: ScoresData;
  readonly turn: ScoresData;
  readonly dropped: number;
}

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
      const part = partAsked();
      const longMemEval = await measureLongMemEval(db, indexes, inPart(questions, part));
      const locomo = await measureLoCoMo(db, indexes, inPart(conversations, part));
      const kept = keepPart<PartResult>(RESULTS, fileURLToPath(import.meta.url), part, {
        all: longMemEval.all.data,
        official: longMemEval.official.data,
        session: locomo.session.data,
        turn: locomo.turn.data,
        dropped: locomo.dropped,
      });
      if (kept.missing.length > 0) console.log(`Parts that are missing: ${kept.missing.join(', ')}`);
      const scoresOf = (set: keyof Omit<PartResult, 'dropped'>) =>
        Scores.of(kept.parts.map((one) => one[set]));
      return {
        facts: [
          ...factsOf('LongMemEval ALL', scoresOf('all'), { any5: 98.5, all5: 91 }, VARIANTS),
          ...factsOf('LongMemEval OFFICIAL', scoresOf('official'), {}, VARIANTS),
          ...factsOf('LoCoMo session', scoresOf('session'), { any5: 94 }, VARIANTS),
          ...factsOf('LoCoMo turn', scoresOf('turn'), { any5: 68, any10: 78 }, VARIANTS),
          {
            name: 'LoCoMo questions left out, their evidence being unusable',
            value: kept.parts.reduce((sum, { dropped }) => sum + dropped, 0),
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
