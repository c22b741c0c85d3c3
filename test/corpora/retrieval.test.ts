/** Both engines rank the development sets of LongMemEval and LoCoMo alike; read from `../shared/corpora` or `BATON_CORPORA`. */
import { expect, it } from 'vitest';
import { corporaFolder, readLoCoMo, readLongMemEval } from '../../bench/retrieval/corpora.ts';
import { unboundedWork } from '../../src/platform/bounded-work/bounded-work.ts';
import { withWorkDone } from '../../src/platform/bounded-work/work-needed.ts';
import { fakeClock } from '../../src/platform/testing.ts';
import type { SearchDocument } from '../../src/spine/search/document.ts';
import { createSearchIndex } from '../../src/spine/search/search-index.ts';
import { searchMigrations } from '../../src/spine/search/store/migrations.ts';
import { createStaticEmbedder } from '../../src/spine/search/vectors/static-embedder.ts';
import type { Database } from '../../src/spine/storage/database.ts';
import { describeOnPostgres, describeOnSqlite } from '../../src/spine/storage/testing.ts';

const whole = process.env.BATON_PROVE === '1';
const questions = (readLongMemEval(corporaFolder()) ?? []).slice(0, whole ? 200 : 1);
const conversations = (readLoCoMo(corporaFolder()) ?? []).slice(0, whole ? 5 : 1);
const ASKED = whole ? 200 : 12;
const AT_ONCE = 10;
const present = questions.length > 0 && conversations.length > 0;
if (!present) console.warn(`Skipped: the retrieval corpora are not in ${corporaFolder()}.`);

interface Asked {
  readonly documents: readonly SearchDocument[];
  readonly queries: readonly { readonly query: string; readonly now: number }[];
}

const sets: readonly Asked[] = [
  ...questions.map(({ id, question, askedAt, sessions }) => ({
    documents: sessions.map(({ turns, micros }, at) => ({
      projectId: id,
      collection: 'session',
      id: String(at),
      time: micros,
      fields: turns.map(({ speaker, text }) => ({ name: speaker, text })),
    })),
    queries: [{ query: question, now: askedAt }],
  })),
  ...conversations.map(({ id, sessions, questions: asked }) => ({
    documents: sessions.flatMap(({ turns, turnIds, micros }) =>
      turns.map(({ speaker, text }, at) => ({
        projectId: id,
        collection: 'turn',
        id: turnIds[at] ?? '',
        time: micros,
        fields: [{ name: speaker, text: `${speaker}: ${text}` }],
      })),
    ),
    queries: asked.slice(0, ASKED).map(({ question }) => ({
      query: question,
      now: Math.max(...sessions.map(({ micros }) => micros)),
    })),
  })),
];

async function ranked(db: Database, { documents, queries }: Asked) {
  const index = createSearchIndex({ embedder: createStaticEmbedder(), clock: fakeClock() });
  for (let start = 0; start < documents.length; start += AT_ONCE) {
    await withWorkDone(unboundedWork, () =>
      db.write(async (uow) => {
        for (const document of documents.slice(start, start + AT_ONCE)) index.index(uow, document);
      }),
    );
  }
  const projectId = documents[0]?.projectId ?? '';
  return db.read(async (reader) => {
    const found = [];
    for (const asked of queries) found.push(await index.search(reader, { projectId, ...asked }));
    return found;
  });
}

describeOnSqlite('real conversations', (openSqlite) => {
  describeOnPostgres('and questions about them', (openPostgres) => {
    it.skipIf(!present)('are ranked alike on both engines, to the last digit', async () => {
      const sqlite = await openSqlite(searchMigrations);
      const postgres = await openPostgres(searchMigrations);
      for (const set of sets) expect(await ranked(postgres, set)).toEqual(await ranked(sqlite, set));
    });
  });
});
