import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakeClock } from '../../platform/testing.ts';
import type { Database } from '../storage/database.ts';
import { describeOnPostgres, describeOnSqlite, type OpenForTest } from '../storage/testing.ts';
import type { SearchDocument, SearchField } from './document.ts';
import type { SearchRequest } from './request.ts';
import { createSearchIndex } from './search-index.ts';
import { searchMigrations } from './store/migrations.ts';
import { createStaticEmbedder } from './vectors/static-embedder.ts';

const embedder = createStaticEmbedder();
const RUNS = process.env.BATON_PROVE ? 200 : 8;
const WORDS =
  'river boat harbour ship captain storm rain wind tea coffee cup kitchen bread bake oven flour'.split(' ');

const word = fc.constantFrom(...WORDS);
const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));
interface Step {
  readonly id: string;
  readonly remove: boolean;
  readonly fields: readonly SearchField[];
  readonly time: number | undefined;
  readonly kind: string;
}

interface Question {
  readonly query: string;
  readonly kind: string | undefined;
  readonly asOf: number | undefined;
}

const step: fc.Arbitrary<Step> = fc.record({
  id: fc.integer({ min: 1, max: 12 }).map(String),
  remove: fc.boolean(),
  fields: fc.array(fc.record({ name: fc.constant('text'), text, weight: fc.constantFrom(1, 2, 3.5) }), {
    maxLength: 3,
  }),
  time: fc.option(fc.integer({ min: 0, max: 1_000 }), { nil: undefined }),
  kind: fc.constantFrom('x', 'y'),
});
const question: fc.Arbitrary<Question> = fc.record({
  query: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
  kind: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
  asOf: fc.option(fc.integer({ min: 0, max: 1_000 }), { nil: undefined }),
});

function toDocument({ id, fields, time, kind }: Step, projectId: string): SearchDocument {
  return {
    projectId,
    collection: 'c',
    id,
    fields,
    attributes: { kind },
    ...(time === undefined ? {} : { time }),
  };
}

function toRequest({ query, kind, asOf }: Question, projectId: string): SearchRequest {
  return {
    projectId,
    query,
    ...(kind === undefined ? {} : { filter: { attributes: { kind } } }),
    ...(asOf === undefined ? {} : { asOf }),
  };
}

/** One store for all runs, a project of its own for each. */
function inStore(open: OpenForTest) {
  let store: Promise<Database> | undefined;
  const index = createSearchIndex({ embedder, clock: fakeClock() });
  return async (
    projectId: string,
    steps: readonly Step[],
    questions: readonly Question[],
    stepsInUnit = 1,
  ) => {
    store ??= open(searchMigrations);
    const db = await store;
    for (let start = 0; start < steps.length; start += stepsInUnit) {
      await db.write(async (uow) => {
        for (const one of steps.slice(start, start + stepsInUnit)) {
          if (one.remove) index.remove(uow, { projectId, collection: 'c', id: one.id });
          else index.index(uow, toDocument(one, projectId));
        }
      });
    }
    return db.read(async (reader) => {
      const answers = [];
      for (const one of questions) answers.push(await index.search(reader, toRequest(one, projectId)));
      return answers;
    });
  };
}

describeOnSqlite('the index of a project', (open) => {
  test('depends only on the documents that are in it, not on those that came and went', async () => {
    const ask = inStore(open);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 20 }),
        fc.array(question, { maxLength: 4 }),
        async (steps, questions) => {
          run += 1;
          const last = new Map(steps.map((one) => [one.id, one]));
          const kept = steps.filter((one) => last.get(one.id) === one && !one.remove);
          const all = await ask(`long-${run}`, steps, questions);
          const few = await ask(`short-${run}`, kept, questions);
          const withoutProject = (answers: typeof all) =>
            answers.map((hits) => hits.map(({ projectId, ...hit }) => hit));
          expect(withoutProject(all)).toEqual(withoutProject(few));
        },
      ),
      { numRuns: RUNS * 2 },
    );
  });
});

describeOnSqlite('a ranking', (openSqlite) => {
  describeOnPostgres('of any documents', (openPostgres) => {
    test('is the same on both engines, to the last digit', async () => {
      const onSqlite = inStore(openSqlite);
      const onPostgres = inStore(openPostgres);
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 20 }),
          fc.array(question, { minLength: 1, maxLength: 4 }),
          async (steps, questions) => {
            run += 1;
            const project = `p-${run}`;
            expect(await onPostgres(project, steps, questions)).toEqual(
              await onSqlite(project, steps, questions),
            );
          },
        ),
        { numRuns: RUNS },
      );
    });

    test('is the same where candidates are only proposed', async () => {
      const onSqlite = inStore(openSqlite);
      const onPostgres = inStore(openPostgres);
      const few = WORDS.slice(0, 6);
      const steps = Array.from({ length: 1_300 }, (_, at) => ({
        id: String(at),
        remove: false,
        fields: [{ name: 'text', text: [1, 5, 7, 11].map((n) => few[((at * n) >> 2) % 6]).join(' ') }],
        time: at,
        kind: at % 3 === 0 ? 'x' : 'y',
      }));
      const questions = few.flatMap((one, at) => [
        { query: one, kind: undefined, asOf: undefined },
        { query: `${one} ${few[(at + 2) % 6]} ${few[(at + 3) % 6]}`, kind: undefined, asOf: undefined },
        { query: `sailor ${one}`, kind: 'y', asOf: at * 100 + 300 },
      ]);
      expect(await onPostgres('large', steps, questions, 300)).toEqual(
        await onSqlite('large', steps, questions, 300),
      );
    });
  });
});
