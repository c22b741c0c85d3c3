import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { BatonError } from '../../kernel/error.ts';
import { readDocument } from '../../kernel/json/reader.ts';
import { nodeHasher } from '../../platform/index.ts';
import { type FakeClock, fakeClock, seededRandom } from '../../platform/testing.ts';
import type { Principal } from '../identity/principal.ts';
import { defineOperations, outside, read, write } from '../operations/define.ts';
import type { Call } from '../operations/handler.ts';
import type { Database } from '../storage/database.ts';
import { describeOnEachEngine } from '../storage/testing.ts';
import { createDispatcher, type Invocation } from './dispatch.ts';
import { forgetAnswersBefore, forgetAnswersWith } from './idempotency-store.ts';
import { idempotencyMigrations } from './migrations.ts';
import type { Bound } from './registry.ts';

const input = {
  path: z.object({ id: z.string() }),
  query: z.object({ q: z.string().optional() }),
  headers: z.object({ 'if-match': z.string().optional() }),
  body: z.object({ word: z.string() }).optional(),
};
const shared = { summary: 'Tested.', input, output: z.unknown(), errors: [] };
const at = (path: string) => ({ ...shared, http: { method: 'POST', path, status: 201 } as const });

const table = defineOperations({
  unit: { ...write('ours', 'self'), ...at('/unit/{id}') },
  other: { ...write('ours', 'self'), ...at('/other/{id}') },
  outside: { ...outside('ours', 'self'), ...at('/outside/{id}') },
  repeatable: { ...outside('ours', 'self'), idempotency: 'repeatable', ...at('/repeatable/{id}') },
  erasing: { ...outside('ours', 'self'), idempotency: 'erases', ...at('/erasing/{id}') },
  governed: { ...outside('cra', 'self'), ...at('/governed/{id}') },
  asking: { ...read('ours', 'self'), ...at('/asking/{id}') },
  secret: { ...outside('ours', 'admin'), idempotency: 'refused', ...at('/secret/{id}') },
  reading: { ...read('ours', 'self'), ...shared, http: { method: 'GET', path: '/reading/{id}' } },
});
type Name = keyof typeof table;
const REPLAYING: readonly Name[] = ['unit', 'outside', 'repeatable', 'erasing', 'governed', 'asking'];
const OUTSIDE: readonly Name[] = REPLAYING.filter((name) => name !== 'unit');

const migrations = [
  ...idempotencyMigrations,
  { name: 'test/0001-effects', statements: () => ['create table effects (at integer)'] },
];

interface Request {
  readonly id?: string;
  readonly q?: string;
  readonly word?: string;
  readonly ifMatch?: string;
  readonly credential?: string;
  readonly scopes?: readonly string[];
}

type Work = (call: Call) => Promise<unknown>;

function untilFinished() {
  let finish: (answer: unknown) => void = () => undefined;
  const finished = new Promise((resolve) => {
    finish = resolve;
  });
  return { work: () => finished, finish: (answer: unknown) => finish(answer) };
}

describeOnEachEngine('an idempotency key', (open) => {
  let db: Database;
  let clock: FakeClock;
  beforeEach(async () => {
    db = await open(migrations);
    clock = fakeClock();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const seal = { seal: (text: string) => `sealed:${btoa(text)}`, open: (text: string) => opened(text) };
  const opened = (text: string) => (text.startsWith('sealed:') ? atob(text.slice(7)) : text);

  function processOn(store: Database, seed = 1) {
    const dispatcher = createDispatcher(store, clock, nodeHasher, {
      random: seededRandom(seed),
      payloads: seal,
    });
    let effects = 0;
    let work: Work = async (call) => ({
      status: 202,
      headers: { etag: `"${effects}"` },
      body: { nth: effects, id: (call.input.path as { id: string }).id },
    });
    const handler = (async (first: unknown, call?: Call) => {
      effects += 1;
      return work(call ?? (first as Call));
    }) as Bound['handler'];
    return {
      effects: () => effects,
      will(next: Work) {
        work = next;
      },
      ask: (name: Name, key: string | undefined, request: Request = {}) =>
        dispatcher.call({ operation: table[name], handler }, invocation(key, request)),
    };
  }

  function invocation(key: string | undefined, request: Request): Invocation {
    const { id = 'a', q, word, ifMatch, credential = 'k1', scopes = ['self', 'admin'] } = request;
    return {
      principal: {
        actor: { id: 'ada', type: 'agent' },
        scopes: new Set(scopes),
        projects: 'all',
        defaultProject: 'default',
        credential: { kind: 'key', id: credential },
        owner: false,
        speaksFor: [],
        present: false,
      } as Principal,
      parts: {
        path: { id },
        query: q === undefined ? {} : { q },
        headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
        document: word === undefined ? undefined : readDocument(JSON.stringify({ word })),
      },
      requestId: 'r',
      signal: new AbortController().signal,
      idempotencyKey: key,
    };
  }

  const codeOf = (asked: Promise<unknown>) =>
    asked.then(
      () => 'answered',
      (error: unknown) => (error instanceof BatonError ? error.code : String(error)),
    );
  const rows = () =>
    db.read((reader) =>
      reader.all<{ idempotency_key: string; body: string }>('select * from idempotency order by 2'),
    );

  it.each(REPLAYING)('gets the first status, headers and body again: %s', async (name) => {
    const { ask, effects } = processOn(db);
    const first = await ask(name, 'k', { word: 'x' });
    expect(first).toMatchObject({ status: 202, headers: { etag: '"1"' }, body: '{"nth":1,"id":"a"}' });
    const again = await ask(name, 'k', { word: 'x' });
    expect(again).toEqual({ ...first, headers: { ...first.headers, 'idempotent-replayed': 'true' } });
    expect(effects()).toBe(1);
    expect((await ask(name, undefined, { word: 'x' })).body).toContain('"nth":2');
    expect((await ask(name, 'k2', { word: 'x' })).body).toContain('"nth":3');
    expect((await ask(name, 'k', { word: 'x', credential: 'k2' })).body).toContain('"nth":4');
  });

  it.each(REPLAYING)('is refused for any other request: %s', async (name) => {
    const { ask, effects } = processOn(db);
    const request = { id: 'a', q: 'b', word: 'c', ifMatch: 'd' };
    await ask(name, 'k', request);
    const others: Request[] = [
      { ...request, id: 'x' },
      { ...request, q: 'x' },
      { ...request, word: 'x' },
      { ...request, ifMatch: 'x' },
      { id: 'a', q: 'b', ifMatch: 'd' },
      {},
    ];
    for (const other of others) expect(await codeOf(ask(name, 'k', other))).toBe('idempotency_conflict');
    expect(await codeOf(ask('other', 'k', request))).toBe('idempotency_conflict');
    expect(effects()).toBe(1);
  });

  it.each(REPLAYING)(
    'is looked up after the step before each call, whose headers are not kept: %s',
    async (name) => {
      const dispatcher = createDispatcher(db, clock, nodeHasher);
      let counted = 0;
      const bound: Bound = {
        operation: table[name],
        handler: async () => ({ headers: { etag: '"1"' }, body: null }),
        before: async () => {
          if (counted === 2) throw new BatonError('too_many', { status: 429, message: 'No.', next: 'Wait.' });
          return { count: String(++counted) };
        },
      };
      const ask = (request: Request = {}) => dispatcher.call(bound, invocation('k', request));
      expect((await ask()).headers).toEqual({ etag: '"1"', count: '1' });
      expect((await ask()).headers).toEqual({ etag: '"1"', count: '2', 'idempotent-replayed': 'true' });
      expect(await codeOf(ask())).toBe('too_many');
      expect(await codeOf(ask({ word: 'other' }))).toBe('too_many');
    },
  );

  it('runs each request once, however keys, requests and operations are mixed', async () => {
    const step = fc.record({
      name: fc.constantFrom(...REPLAYING),
      key: fc.constantFrom('k1', 'k2', 'k3'),
      credential: fc.constantFrom('c1', 'c2'),
      word: fc.constantFrom('x', 'y'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        await db.write((uow) => forgetAnswersBefore(uow, Number.MAX_SAFE_INTEGER));
        const { ask, effects } = processOn(db);
        const firsts = new Map<string, { request: string; body: string }>();
        for (const { name, key, credential, word } of steps) {
          const request = `${name} ${word}`;
          const known = firsts.get(`${credential} ${key}`);
          const asked = ask(name, key, { word, credential });
          if (known && known.request !== request) {
            expect(await codeOf(asked)).toBe('idempotency_conflict');
            continue;
          }
          const { body, headers } = await asked;
          expect(headers['idempotent-replayed']).toBe(known ? 'true' : undefined);
          if (known) expect(body).toBe(known.body);
          else firsts.set(`${credential} ${key}`, { request, body });
        }
        expect(effects()).toBe(firsts.size);
      }),
      { numRuns: process.env.BATON_PROVE ? 200 : 15 },
    );
  });

  const slow: readonly Name[] = ['outside', 'repeatable', 'erasing', 'governed'];
  it.each(slow)('waits for no one: while the first runs, the second is told so: %s', async (name) => {
    const { ask, effects, will } = processOn(db);
    const { work, finish } = untilFinished();
    will(work);
    const first = ask(name, 'k');
    await vi.waitUntil(() => effects() === 1);
    expect(await codeOf(ask(name, 'k'))).toBe('idempotency_in_progress');
    expect(await codeOf(ask(name, 'k', { word: 'x' }))).toBe('idempotency_conflict');
    finish({ body: 'done' });
    await first;
    expect(await ask(name, 'k')).toMatchObject({
      body: '"done"',
      headers: { 'idempotent-replayed': 'true' },
    });
    expect(effects()).toBe(1);
  });

  it.each(REPLAYING)('has one effect when it comes twice at once, from two processes: %s', async (name) => {
    const one = processOn(db, 1);
    const two = processOn(await open(migrations, { beside: db }), 2);
    const asked = await Promise.allSettled([one.ask(name, 'k'), two.ask(name, 'k'), one.ask(name, 'k')]);
    const answers = asked.flatMap((result) => (result.status === 'fulfilled' ? [result.value.body] : []));
    const codes = asked.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(new Set(answers).size).toBe(1);
    expect(codes.filter((code) => code !== 'idempotency_in_progress')).toEqual([]);
    if (name !== 'unit') expect(one.effects() + two.effects()).toBe(1);
    expect(await rows()).toHaveLength(1);
  });

  it('is taken over once from a request that broke off, however many come for it', async () => {
    const died = processOn(db, 1);
    died.will(() => new Promise<never>(() => undefined));
    void died.ask('repeatable', 'k');
    await vi.waitUntil(() => died.effects() === 1);
    clock.advance({ seconds: 31 });
    const one = processOn(db, 2);
    const two = processOn(await open(migrations, { beside: db }), 3);
    await Promise.allSettled([one, two, one, two].map(({ ask }) => ask('repeatable', 'k')));
    expect(one.effects() + two.effects()).toBe(1);
  });

  it('makes the change and keeps its answer in one unit, or does neither', async () => {
    const { ask, will } = processOn(db);
    const dispatcher = createDispatcher(db, clock, nodeHasher);
    const handler = (async (uow: { run(sql: string): Promise<number> }) => {
      await uow.run('insert into effects (at) values (1)');
      return { body: null };
    }) as Bound['handler'];
    const both = () => dispatcher.call({ operation: table.unit, handler }, invocation('k', {}));
    await Promise.all([both(), both(), both()]);
    expect(await db.read((reader) => reader.all('select at from effects'))).toHaveLength(1);
    will(() => Promise.reject(new Error('lost')));
    expect(await codeOf(ask('unit', 'k2'))).toBe('Error: lost');
    expect((await rows()).map((row) => row.idempotency_key)).toEqual(['k']);
  });

  describe('of a request whose process may have died', () => {
    const hangs = () => new Promise<never>(() => undefined);

    it('says that the outcome is unknown when the process died before it was stored', async () => {
      const died = processOn(db, 1);
      died.will(hangs);
      void died.ask('outside', 'k');
      await vi.waitUntil(() => died.effects() === 1);
      const after = processOn(await open(migrations, { beside: db }), 2);
      expect(await codeOf(after.ask('outside', 'k'))).toBe('idempotency_in_progress');
      clock.advance({ seconds: 31 });
      expect(await codeOf(after.ask('outside', 'k'))).toBe('idempotency_outcome_unknown');
      expect(await codeOf(after.ask('outside', 'k'))).toBe('idempotency_outcome_unknown');
      expect(await codeOf(after.ask('outside', 'k', { word: 'x' }))).toBe('idempotency_conflict');
      expect(after.effects()).toBe(0);
      expect(await codeOf(after.ask('outside', 'k2'))).toBe('answered');
    });

    it('runs again what is harmless to repeat, and its late first run changes nothing', async () => {
      const slow = processOn(db, 1);
      const { work, finish } = untilFinished();
      slow.will(work);
      const late = slow.ask('repeatable', 'k');
      await vi.waitUntil(() => slow.effects() === 1);
      clock.advance({ seconds: 31 });
      const after = processOn(await open(migrations, { beside: db }), 2);
      after.will(async () => ({ body: 'second' }));
      expect((await after.ask('repeatable', 'k')).body).toBe('"second"');
      finish({ body: 'first' });
      expect((await late).body).toBe('"first"');
      expect((await after.ask('repeatable', 'k')).body).toBe('"second"');
    });

    it('stores the outcome of a run that was only slow', async () => {
      const { ask, will, effects } = processOn(db);
      const { work, finish } = untilFinished();
      will(work);
      const slow = ask('outside', 'k');
      await vi.waitUntil(() => effects() === 1);
      clock.advance({ seconds: 31 });
      expect(await codeOf(ask('outside', 'k'))).toBe('idempotency_outcome_unknown');
      finish({ body: 'late' });
      await slow;
      expect((await ask('outside', 'k')).body).toBe('"late"');
    });

    it('renews the lease of a run for as long as its process lives', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      const { ask, will, effects } = processOn(db);
      will(hangs);
      void ask('outside', 'k');
      await vi.waitUntil(() => effects() === 1);
      for (let renewals = 0; renewals < 4; renewals += 1) {
        clock.advance({ seconds: 20 });
        vi.advanceTimersByTime(10_000);
        await db.write(async () => undefined);
        expect(await codeOf(ask('outside', 'k'))).toBe('idempotency_in_progress');
      }
    });
  });

  it.each(OUTSIDE)('stays new after a refusal: %s', async (name) => {
    const { ask, will } = processOn(db);
    const refusal = { status: 422, message: 'No.', next: 'Ask for something else.' };
    will(() => Promise.reject(new BatonError('refused_so', refusal)));
    expect(await codeOf(ask(name, 'k'))).toBe('refused_so');
    will(async () => ({ body: 'done' }));
    expect((await ask(name, 'k', { word: 'other' })).body).toBe('"done"');
  });

  it('does not run again after a failure that may have had an effect, unless that is harmless', async () => {
    const { ask, will } = processOn(db);
    will(() => Promise.reject(new Error('socket hang up')));
    for (const name of OUTSIDE) expect(await codeOf(ask(name, name))).toBe('Error: socket hang up');
    will(async () => ({ body: 'done' }));
    expect(await codeOf(ask('outside', 'outside'))).toBe('idempotency_outcome_unknown');
    expect(await codeOf(ask('governed', 'governed'))).toBe('idempotency_outcome_unknown');
    for (const name of ['repeatable', 'erasing', 'asking'] as const)
      expect((await ask(name, name)).body).toBe('"done"');
  });

  it('is refused where the answer is a secret, after the scope and before anything else', async () => {
    const { ask, effects } = processOn(db);
    expect(await codeOf(ask('secret', 'k', { scopes: ['self'] }))).toBe('forbidden');
    expect(await codeOf(ask('secret', 'k'))).toBe('idempotency_refused');
    expect([effects(), await rows()]).toEqual([0, []]);
    expect(await codeOf(ask('secret', undefined))).toBe('answered');
  });

  it('must fit its row, and means nothing to a read', async () => {
    const { ask, effects } = processOn(db);
    for (const key of ['', 'x'.repeat(256)]) {
      expect(await codeOf(ask('unit', key))).toBe('invalid_input');
      expect(await codeOf(ask('outside', key))).toBe('invalid_input');
    }
    await ask('unit', 'x'.repeat(255));
    await ask('reading', 'k');
    await ask('reading', 'k', { q: 'other' });
    expect(effects()).toBe(3);
  });

  it('forgets answers that name what was erased, of every kind of operation', async () => {
    const { ask } = processOn(db);
    for (const name of REPLAYING.filter((one) => one !== 'governed')) {
      await ask(name, name, { id: 'gone' });
      await ask(name, `${name} kept`, { id: 'kept' });
    }
    await db.write((uow) => forgetAnswersWith(uow, ['"gone"']));
    expect((await rows()).filter(({ body }) => body.includes('gone'))).toEqual([]);
    expect((await rows()).filter(({ body }) => body.includes('kept'))).toHaveLength(5);
  });

  it('does not keep an answer that names what was erased while it was made, unless it erased it', async () => {
    const { ask, will, effects } = processOn(db);
    will(async (call) => {
      await db.write((uow) => forgetAnswersWith(uow, ['"one"', '"gone"']));
      return { body: [(call.input.path as { id: string }).id] };
    });
    await ask('outside', 'a', { id: 'gone' });
    await ask('outside', 'b', { id: 'kept' });
    await ask('erasing', 'c', { id: 'gone' });
    expect((await rows()).map((row) => row.idempotency_key)).toEqual(['b', 'c']);
    expect((await ask('erasing', 'c', { id: 'gone' })).headers['idempotent-replayed']).toBe('true');
    expect(effects()).toBe(3);
    await ask('outside', 'a', { id: 'gone' });
    expect(effects()).toBe(4);
  });

  it('keeps the answers of governance sealed, and no others', async () => {
    const { ask } = processOn(db);
    await ask('governed', 'k1');
    await ask('outside', 'k2');
    const [governed, plain] = await rows();
    expect([governed?.body.startsWith('sealed:'), plain?.body.startsWith('{')]).toEqual([true, true]);
    expect((await ask('governed', 'k1')).body).toBe('{"nth":1,"id":"a"}');
  });
});
