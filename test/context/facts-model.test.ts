/**
 * Assertions, corrections, schedules and invalidations in any order, against a model that keeps every statement and reads them
 * aloud: at no instant are there two answers, and what was believed at any time is still known.
 */
import { expect, it } from 'vitest';
import { migrations } from '../../src/app/migrations.ts';
import { BatonError } from '../../src/kernel/error.ts';
import { uuidV7Source } from '../../src/kernel/ids.ts';
import { formatMicros } from '../../src/kernel/instant.ts';
import { nodeHasher } from '../../src/platform/node-hasher.ts';
import { type FakeClock, fakeClock, seededRandom } from '../../src/platform/testing.ts';
import { createAssertFact } from '../../src/slices/context/facts/assert.ts';
import { createInvalidateFact } from '../../src/slices/context/facts/invalidate.ts';
import { keyHash, selectFacts, selectHeld } from '../../src/slices/context/facts/store.ts';
import { createEventRecorder } from '../../src/slices/context/ledger.ts';
import { createIdentity } from '../../src/spine/identity/identity.ts';
import type { Principal } from '../../src/spine/identity/principal.ts';
import { DEFAULT_PROJECT } from '../../src/spine/identity/settings.ts';
import { plainPayloads } from '../../src/spine/journal/events/payload-codec.ts';
import { createJournal } from '../../src/spine/journal/journal.ts';
import { createSearchIndex } from '../../src/spine/search/search-index.ts';
import { createStaticEmbedder } from '../../src/spine/search/vectors/static-embedder.ts';
import type { Database, Reader, SqlValue } from '../../src/spine/storage/database.ts';
import { describeOnEachEngineEvenBare, describeOnSqlite } from '../../src/spine/storage/testing.ts';

const HOUR = 3_600_000_000;
const LONG = process.env.BATON_PROVE === '1';

interface Statement {
  readonly from: number;
  readonly to: number | null;
  /** Undefined ends what holds. */
  readonly value: string | undefined;
  readonly said: number;
}

/** Reads the statements in the order in which they were made: each is right about its own time until the next. */
class Model {
  readonly #statements: Statement[] = [];

  /** What somebody who knew only what was said by then would answer. */
  valueAt(at: number, knownAt = Number.POSITIVE_INFINITY): string | undefined {
    let value: string | undefined;
    for (const { from, to, said, value: stated } of this.#statements) {
      if (said <= knownAt && from <= at && (to === null || at < to)) value = stated;
    }
    return value;
  }

  /** Where the answer changes, as it is known now. */
  changes(): number[] {
    const edges = this.#statements.flatMap(({ from, to }) => (to === null ? [from] : [from, to]));
    return [...new Set(edges)].filter((at) => this.valueAt(at) !== this.valueAt(at - 1));
  }

  /** Where something begins to hold. */
  beginnings(): number[] {
    return this.changes().filter((at) => this.valueAt(at) !== undefined);
  }

  say(statement: Statement): void {
    this.#statements.push(statement);
  }
}

const principal: Principal = {
  actor: { id: 'owner', type: 'human' },
  scopes: new Set(['*']),
  projects: [DEFAULT_PROJECT],
  defaultProject: DEFAULT_PROJECT,
  credential: { kind: 'owner', id: 'owner' },
  owner: true,
  speaksFor: ['*'],
  present: true,
};

async function factsOn(db: Database, clock: FakeClock, seed = 0) {
  const random = seededRandom(3 + 100 * seed);
  const ids = uuidV7Source(clock, random);
  const hasher = nodeHasher;
  const journal = createJournal({ hasher, ids, clock, payloads: plainPayloads });
  const identity = createIdentity({ db, clock, random, hasher, ids, journal });
  await db.write((uow) => identity.ensureProject(uow, { projectId: DEFAULT_PROJECT }, principal.actor));
  const search = createSearchIndex({ embedder: createStaticEmbedder(), clock });
  const deps = { clock, random, hasher, search, record: createEventRecorder({ journal, identity }) };
  const assert = createAssertFact(deps);
  const invalidate = createInvalidateFact(deps);
  const of = (subject: string) => ({ projectId: DEFAULT_PROJECT, subject, predicate: 'is' });
  return {
    assert: (subject: string, view: object) =>
      db.write((uow) =>
        assert(uow, {
          projectId: DEFAULT_PROJECT,
          view: { subject, predicate: 'is', value: '', ...view },
          principal,
        }),
      ),
    invalidate: (subject: string) => db.write((uow) => invalidate(uow, { key: of(subject), principal })),
    at: (subject: string, asOfMicros: number, knownAtMicros?: number) =>
      db.read(async (reader) => {
        const found = await selectFacts(reader, {
          ...of(subject),
          key: keyHash(hasher, of(subject)),
          asOfMicros,
          knownAtMicros,
          limit: 10,
        });
        return found.facts.map(({ value }) => value);
      }),
    current: (subject: string) =>
      db.read(
        async (reader) =>
          (await selectHeld(reader, DEFAULT_PROJECT, keyHash(hasher, of(subject)), clock.now()))?.value,
      ),
    history: (subject: string) =>
      db.read((reader) =>
        selectFacts(reader, { ...of(subject), key: keyHash(hasher, of(subject)), limit: 1_000 }),
      ),
  };
}

/** Several at once, each with a clock of its own, so that their commits are shared. Returns how much was said. */
const TELLERS = LONG ? 16 : 4;

async function tellStories(db: Database, nth: number, total: number): Promise<number> {
  const clock = fakeClock('2026-01-01T00:00:00Z') as FakeClock;
  const facts = await factsOn(db, clock, nth);
  const random = seededRandom(11 + nth);
  const pick = (below: number) => (random.bytes(4).reduce((sum, byte) => sum * 256 + byte, 0) % below) | 0;
  let done = 0;
  for (let story = 0; done < total; story += 1) {
    const subject = `story ${nth}.${story}`;
    const model = new Model();
    const known: number[] = [];
    const length = 10 + pick(40);
    for (let step = 0; step < length && done < total; step += 1, done += 1) {
      clock.advance({ micros: HOUR * (1 + pick(5)) });
      const now = clock.now();
      const value = `v${step}`;
      const kind = pick(6);
      if (kind === 0) {
        const held = model.valueAt(now);
        expect(await facts.invalidate(subject)).toBe(held === undefined ? 0 : 1);
        if (held !== undefined)
          model.say({ from: now, to: first(model.changes(), now), value: undefined, said: now });
      } else {
        const from = kind === 1 ? undefined : now + (pick(120) - (kind === 2 ? 10 : 110)) * HOUR;
        const to = kind >= 4 && from !== undefined ? from + (1 + pick(60)) * HOUR : undefined;
        const start = from ?? now;
        const contradicts = to === undefined && model.beginnings().some((at) => at > start && at <= now);
        const said = facts.assert(subject, {
          value,
          ...(from !== undefined && { valid_from: formatMicros(from) }),
          ...(to !== undefined && { valid_to: formatMicros(to) }),
        });
        if (contradicts) {
          await expect(said).rejects.toMatchObject({ code: 'temporal_conflict' });
          continue;
        }
        await said.catch((error) => {
          throw error instanceof BatonError ? new Error(`${error.code} ${subject} ${step}`) : error;
        });
        model.say({
          from: start,
          to: to ?? first(model.beginnings(), Math.max(start, now)),
          value,
          said: now,
        });
      }
      known.push(now);
      expect(await facts.current(subject)).toBe(model.valueAt(now));
    }
    for (let question = 0; question < 12; question += 1) {
      const at = clock.now() + (pick(300) - 250) * HOUR + pick(2);
      const knownAt = question % 2 === 0 ? undefined : (known[pick(known.length)] as number);
      const wanted = model.valueAt(at, knownAt);
      expect([subject, at, knownAt, await facts.at(subject, at, knownAt)]).toEqual([
        subject,
        at,
        knownAt,
        wanted === undefined ? [] : [wanted],
      ]);
    }
    await expectDisjoint(facts, subject);
  }
  return done;
}

/** The long form on PostgreSQL, on a machine that has everything else to do first. */
const PATIENCE = LONG ? { timeout: 6 * 3_600_000 } : {};

describeOnEachEngineEvenBare('facts on one timeline', (open) => {
  it('have one answer at every instant, now and as it was known at any time', PATIENCE, async () => {
    const total = LONG ? 100_000 : open.engine === 'sqlite' ? 1_500 : 300;
    const db = await open(migrations);
    const tellers = Array.from({ length: TELLERS }, (_, nth) => tellStories(db, nth, total / TELLERS));
    const done = await Promise.all(tellers);
    expect(done.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(total);
  });

  it('cannot overlap, whoever writes them', async () => {
    const clock = fakeClock('2026-01-01T00:00:00Z') as FakeClock;
    const db = await open(migrations);
    const facts = await factsOn(db, clock);
    const at = clock.now();
    await facts.assert('s', { value: 'one', valid_from: formatMicros(at - HOUR) });
    const [row] = await db.read((reader) =>
      reader.all<{ span_id: number; fact_id: string; project_id: string; key_hash: string }>(
        'select span_id, fact_id, project_id, key_hash from fact_spans',
        [],
      ),
    );
    const insert = (from: number, to: number | null) =>
      db.write((uow) =>
        uow.run(
          `insert into fact_spans (project_id, key_hash, fact_id, from_us, to_us, known_us) values (?, ?, ?, ?, ?, ?)`,
          [row?.project_id ?? '', row?.key_hash ?? '', row?.fact_id ?? '', from, to, at],
        ),
      );
    const OVERLAP = /two facts of one subject/;
    await expect(insert(at, null)).rejects.toThrow(OVERLAP);
    await expect(insert(at - 2 * HOUR, at)).rejects.toThrow(OVERLAP);
    await insert(at - 2 * HOUR, at - HOUR);
    const stretch = `update fact_spans set to_us = ? where span_id <> ?`;
    await expect(db.write((uow) => uow.run(stretch, [at, row?.span_id ?? 0]))).rejects.toThrow(OVERLAP);
  });

  it('become current by the clock', async () => {
    const clock = fakeClock('2026-01-01T00:00:00Z') as FakeClock;
    const facts = await factsOn(await open(migrations), clock);
    await facts.assert('s', { value: 'now' });
    await facts.assert('s', { value: 'soon', valid_from: formatMicros(clock.now() + 200_000_000) });
    expect(await facts.current('s')).toBe('now');
    expect(await facts.at('s', clock.now())).toEqual(['now']);
    clock.advance({ micros: 200_000_000 });
    expect(await facts.current('s')).toBe('soon');
    expect(await facts.at('s', clock.now())).toEqual(['soon']);
  });
});

describeOnSqlite('a question about one subject', (open) => {
  it('looks at no other subject, however many there are and whenever it asks', async () => {
    const clock = fakeClock('2026-01-01T00:00:00Z') as FakeClock;
    const db = await open(migrations);
    const facts = await factsOn(db, clock);
    await facts.assert('s', { value: 'one' });
    const ask = { projectId: DEFAULT_PROJECT, subject: 's', predicate: 'is', limit: 10 };
    const key = keyHash(nodeHasher, ask);
    const now = clock.now();
    await db.read(async (reader) => {
      const statements: [string, readonly SqlValue[]][] = [];
      const noted: Pick<Reader, 'all'> = {
        all: (sql, params = []) => {
          statements.push([sql, params]);
          return reader.all(sql, params);
        },
      };
      for (const when of [{ asOfMicros: now }, { asOfMicros: now, knownAtMicros: now }, {}])
        expect((await selectFacts(noted as Reader, { ...ask, key, ...when })).facts).toHaveLength(1);
      expect(statements).toHaveLength(6);
      for (const [sql, params] of statements) {
        const plan = await reader.all<{ detail: string }>(`explain query plan ${sql}`, params);
        const first = plan.find(({ detail }) => / [sf] /.test(detail))?.detail;
        expect(first).toMatch(/INDEX \w+ \(project_id=\? AND key_hash=\?/);
      }
    });
  });
});

/** The first of these after an instant: until then a statement without an end holds. */
function first(instants: readonly number[], after: number): number | null {
  const later = instants.filter((each) => each > after);
  return later.length === 0 ? null : Math.min(...later);
}

/** Whoever reads the history by its own intervals finds one value at each instant, too. */
async function expectDisjoint(facts: Awaited<ReturnType<typeof factsOn>>, subject: string): Promise<void> {
  const { facts: all } = await facts.history(subject);
  const spans = all
    .map(({ fromMicros: from, toMicros: to }) => ({ from, to: to ?? Number.POSITIVE_INFINITY }))
    .filter(({ from, to }) => to > from)
    .sort((a, b) => a.from - b.from);
  for (const [at, span] of spans.entries()) {
    expect(span.from).toBeGreaterThanOrEqual(spans[at - 1]?.to ?? Number.NEGATIVE_INFINITY);
  }
}
