/** How often the right session or turn is among the first answers, through the stored index with its defaults. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unboundedWork } from '../../src/platform/bounded-work/bounded-work.ts';
import { withWorkDone } from '../../src/platform/bounded-work/work-needed.ts';
import type { SearchDocument } from '../../src/spine/search/document.ts';
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
import { RecallTally } from '../retrieval/tally.ts';

export const benchCase: BenchCase = {
  name: 'retrieval',
  title: 'Retrieval: recall on the development sets of LongMemEval and LoCoMo',
  async prepare() {
    const folder = await mkdtemp(join(tmpdir(), 'baton-retrieval-'));
    const db = await openDatabase(`sqlite:${join(folder, 'bench.db')}`);
    try {
      await db.migrate(searchMigrations);
      const index = createSearchIndex({ embedder: createStaticEmbedder(), clock: { now: () => 0 } });
      const questions = readLongMemEval(corporaFolder());
      const conversations = readLoCoMo(corporaFolder());
      if (questions === undefined || conversations === undefined) {
        throw new Error(`The corpora are not in ${corporaFolder()}; set BATON_CORPORA to their folder.`);
      }
      const { all, official } = await measureLongMemEval(db, index, questions);
      const locomo = await measureLoCoMo(db, index, conversations);
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

type Goals = Partial<Record<'any5' | 'all5' | 'any10', number>>;

/** One line for each group and measure; the goals are those of the whole set. */
function factsOf(set: string, tally: RecallTally, goals: Goals): Fact[] {
  return Object.entries(tally.results()).flatMap(([group, recall]) =>
    (['any5', 'all5', 'any10'] as const).map((measure) => {
      const goal = group === 'overall' ? goals[measure] : undefined;
      const value = recall[measure];
      const name = `${set}, ${group} (${recall.questions}): ${measure.replace(/(\d+)$/, '@$1')}`;
      if (goal === undefined) return { name, value, unit: '%' };
      return { name, value, unit: '%', goal: { text: `at least ${goal}`, met: value >= goal } };
    }),
  );
}

/**
 * ALL: every question, gold = the answer's sessions. OFFICIAL: abstentions and questions without a user turn that has
 * the answer are dropped, gold = sessions with such a turn.
 */
async function measureLongMemEval(
  db: Database,
  index: SearchIndex,
  questions: readonly LongMemEvalQuestion[],
) {
  const all = new RecallTally();
  const official = new RecallTally();
  for (const { id, type, question, askedAt, gold, sessions } of questions) {
    const documents = sessions.map((session, at) => sessionDocument(id, session, String(at)));
    await add(db, index, documents);
    // Some haystacks are dated after their question; the question's date is what relative dates count from.
    const hits = await db.read((reader) =>
      index.search(reader, { projectId: id, query: question, limit: 10, now: askedAt }),
    );
    const ranked = hits.map((hit) => sessions[Number(hit.id)]?.id ?? '');
    all.add(['overall', type], ranked, gold);
    const answered = officialGold(gold, sessions);
    if (!id.endsWith('_abs') && answered.size > 0) official.add(['overall', type], ranked, answered);
  }
  return { all, official };
}

function officialGold(gold: ReadonlySet<string>, sessions: readonly Session[]): ReadonlySet<string> {
  const answered = sessions.filter(({ turns }) =>
    turns.some(({ speaker, hasAnswer }) => speaker === 'user' && hasAnswer),
  );
  return new Set(answered.map(({ id }) => id).filter((id) => gold.has(id)));
}

async function measureLoCoMo(db: Database, index: SearchIndex, conversations: readonly LoCoMoConversation[]) {
  const session = new RecallTally();
  const turn = new RecallTally();
  let dropped = 0;
  for (const conversation of conversations) {
    const { id: projectId, sessions, questions } = conversation;
    dropped += conversation.dropped;
    await add(
      db,
      index,
      sessions.map((one) => sessionDocument(projectId, one, one.id)),
    );
    await add(
      db,
      index,
      sessions.flatMap((one) => turnDocuments(projectId, one)),
    );
    const now = Math.max(...sessions.map(({ micros }) => micros));
    for (const { question, evidence } of questions) {
      const find = (collection: string) =>
        db.read((reader) =>
          index.search(reader, { projectId, collections: [collection], query: question, limit: 10, now }),
        );
      const gold = new Set([...evidence].map((id) => id.split(':')[0] ?? ''));
      session.add(
        ['overall'],
        (await find('session')).map(({ id }) => id),
        gold,
      );
      turn.add(
        ['overall'],
        (await find('turn')).map(({ id }) => id),
        evidence,
      );
    }
  }
  return { session, turn, dropped };
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
