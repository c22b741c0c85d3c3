import { expect, it } from 'vitest';
import { identityMigrations } from '../../../spine/identity/migrations.ts';
import type { Database } from '../../../spine/storage/database.ts';
import { describeOnEachEngine, type OpenForTest } from '../../../spine/storage/testing.ts';
import { relayMigrations } from '../migrations.ts';
import type { PlainAttributes } from '../otlp/model.ts';
import { findSpans } from '../spans/find-spans.ts';
import { selectSessions } from '../spans/session-store.ts';
import { ensureOrigin, insertSpans } from '../spans/store.ts';
import { newSpan, PROJECT, type TestSpanOptions, testOrigin, testSpan } from '../spans/testing.ts';
import { upsertPrice } from '../usage/price-store.ts';
import { readStats, type StatsQuestion } from '../usage/stats.ts';
import { createSpanFollower } from './follow-spans.ts';
import { listTraces } from './list-traces.ts';
import { readSession } from './read-session.ts';
import { createRetention } from './retention.ts';
import { readWaterfall } from './waterfall.ts';

const DAY = 86_400e6;
const trace = (digit: string) => digit.repeat(32);

async function storeOf(open: OpenForTest): Promise<Database> {
  const db = await open([...identityMigrations, ...relayMigrations]);
  await db.write((uow) => ensureOrigin(uow, testOrigin));
  return db;
}

async function put(
  db: Database,
  spans: readonly TestSpanOptions[],
  first = 1,
  storedMicros = 1,
): Promise<void> {
  await db.write((uow) =>
    insertSpans(
      uow,
      spans.map((options, at) => newSpan(testSpan(first + at, options), storedMicros)),
    ),
  );
}

const call = (model: string, attributes: PlainAttributes = {}): PlainAttributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': model,
  'gen_ai.usage.input_tokens': 1000,
  'gen_ai.usage.output_tokens': 100,
  ...attributes,
});

const stats = (db: Database, question: Partial<StatsQuestion>, projectId = PROJECT) =>
  db.read((reader) =>
    readStats(reader, projectId, {
      by: 'model',
      sort: 'spans',
      interval: undefined,
      from: 0,
      to: DAY,
      limit: 10,
      ...question,
    }),
  );

describeOnEachEngine('what spans add up to', (open) => {
  it('counts each span once, whenever it comes, however often it is asked for', async () => {
    const db = await storeOf(open);
    const follower = createSpanFollower(db);
    await put(db, [{ attributes: call('m') }, { attributes: call('m'), failed: true }]);
    await Promise.all([follower.catchUp(), follower.catchUp(), createSpanFollower(db).catchUp()]);
    await put(db, [{ attributes: call('m') }, { attributes: call('m') }], 2);
    expect(await follower.catchUp()).toBe(true);
    const { items } = await stats(db, {});
    expect(items).toMatchObject([
      { key: 'm', spans: 3, errors: 1, input_tokens: 3000, output_tokens: 300, unpriced_tokens: 3300 },
    ]);
    expect((await db.read((reader) => listTraces(reader, PROJECT, {}, 10))).items).toMatchObject([
      { trace_id: trace('a'), spans: 3, errors: 1, duration_ms: 3 },
    ]);
  });

  it('sums up what was stored before there were sums', async () => {
    const db = await open(relayMigrations.slice(0, 4));
    await db.write((uow) => ensureOrigin(uow, testOrigin));
    for (let seq = 1; seq <= 3; seq += 1) {
      await db.write((uow) =>
        uow.run(
          `insert into relay_spans (project_id, trace_id, span_id, origin_id, name, start_us, end_us, status, body,
             stored_us) values (?, ?, ?, ?, 'old', 1000, 2000, 0, '{}', 1)`,
          [PROJECT, trace('a'), `old${seq}`, testOrigin.id],
        ),
      );
    }
    await db.migrate(relayMigrations);
    await createSpanFollower(db).catchUp();
    expect((await db.read((reader) => listTraces(reader, PROJECT, {}, 10))).items).toMatchObject([
      { spans: 3 },
    ]);
  });

  it('shows a failing tool call in its session though it names none, and traces without a session', async () => {
    const db = await storeOf(open);
    await put(db, [
      { attributes: { 'session.id': 's', 'agent.id': 'a' } },
      { attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'grep' }, failed: true },
      { attributes: call('m'), traceId: trace('b') },
    ]);
    await createSpanFollower(db).catchUp();
    await db.read(async (reader) => {
      const session = await readSession(reader, PROJECT, 's');
      expect(session).toMatchObject({ spans: 2, errors: 1, failures: [{ kind: 'tool', name: 'span 2' }] });
      const alone = await listTraces(reader, PROJECT, { withoutSession: true }, 10);
      expect(alone.items.map(({ trace_id }) => trace_id)).toEqual([trace('b')]);
      const failed = await listTraces(reader, PROJECT, { failed: true }, 10);
      expect(failed.items.map(({ trace_id }) => trace_id)).toEqual([trace('a')]);
      const tools = await findSpans(reader, PROJECT, { tool: 'grep', status: 2, limit: 10 });
      expect(tools.spans).toHaveLength(1);
      await expect(readSession(reader, 'p2', 's')).rejects.toMatchObject({ code: 'relay_session_not_found' });
    });
    expect((await stats(db, { by: 'tool', sort: 'errors' })).items).toMatchObject([
      { key: 'grep', spans: 1, errors: 1, error_rate: 1 },
    ]);
    expect((await stats(db, { by: 'tool' }, 'p2')).items).toEqual([]);
  });

  it('prices tokens by the newest price that had begun, and believes a span that says its cost', async () => {
    const db = await storeOf(open);
    const price = { cacheRead: 0.1, cacheWrite: undefined, setBy: 'x' };
    await db.write(async (uow) => {
      await upsertPrice(uow, PROJECT, { ...price, model: 'm*', fromMicros: 0, input: 1, output: 10 });
      await upsertPrice(uow, PROJECT, {
        ...price,
        model: 'm*',
        fromMicros: 10 * DAY,
        input: 100,
        output: 100,
      });
    });
    await put(db, [
      { attributes: call('m1', { 'gen_ai.usage.cache_read.input_tokens': 500 }) },
      { attributes: call('m1', { 'gen_ai.usage.cost': 0.5 }) },
      { attributes: call('other') },
      { attributes: { ...call('m1'), 'gen_ai.operation.name': 'invoke_agent' } },
    ]);
    await createSpanFollower(db).catchUp();
    const { items } = await stats(db, { sort: 'cost' });
    // 500 plain at 1, 500 cached at 0.1 and 100 out at 10 are 1,550 millionths.
    expect(items).toMatchObject([
      { key: 'm1', cost_usd: 0.50155, unpriced_tokens: 0, input_tokens: 2000 },
      { key: 'other', cost_usd: 0, unpriced_tokens: 1100 },
    ]);
    const shown = await db.read((reader) => readWaterfall(reader, PROJECT, trace('a')));
    expect(shown.usage).toMatchObject({ cost_usd: 0.50155, unpriced_tokens: 1100 });
    expect(shown.rows.map(({ cost_usd }) => cost_usd)).toEqual([0.00155, 0.5, undefined, undefined]);
  });

  it('shows a trace by the page, the page around a span, and what failed or took long on any page', async () => {
    const db = await storeOf(open);
    const many = Array.from({ length: 25 }, (_, at) => ({
      attributes: { 'agent.id': at % 2 === 0 ? 'a' : 'b', 'session.id': 's' },
      failed: at === 17,
    }));
    await put(db, many);
    await createSpanFollower(db).catchUp();
    const read = (asked: object) =>
      db.read((reader) => readWaterfall(reader, PROJECT, trace('a'), { limit: 10, ...asked }));
    const id = (number: number) => number.toString(16).padStart(16, '0');
    const whole = await db.read((reader) => readWaterfall(reader, PROJECT, trace('a')));
    const pages = [await read({}), await read({ from: 10 }), await read({ from: 20 })];
    expect(pages.map(({ from, rows }) => [from, rows.length])).toEqual([
      [0, 10],
      [10, 10],
      [20, 5],
    ]);
    expect(pages.flatMap(({ rows }) => rows)).toEqual(whole.rows);
    for (const { rows, from, ...head } of pages) {
      expect(head).toMatchObject({
        spans: 25,
        errors: 1,
        failed: [{ row: 17, span_id: id(18) }],
        duration_ms: 25,
        own_time: [
          { agent: 'a', ms: 13 },
          { agent: 'b', ms: 12 },
        ],
        session_id: 's',
        complete: true,
      });
    }
    expect(await read({ around: id(18) })).toEqual(pages[1]);
    expect(await read({ around: 'nobody knows' })).toEqual(pages[0]);
    expect((await read({ from: 30 })).rows).toEqual([]);
  });

  it('takes time from whoever waits, and the longest steps from those that wait for nothing', async () => {
    const db = await storeOf(open);
    const at = (number: number, parent: number | undefined, from: number, to: number) => {
      const { spanId, ...span } = testSpan(number, {
        attributes: { 'agent.id': `a${number}`, 'session.id': 's' },
      });
      return newSpan(
        {
          ...span,
          spanId,
          ...(parent !== undefined && { parentSpanId: parent.toString(16).padStart(16, '0') }),
          startTimeUnixNano: `${from}000000`,
          endTimeUnixNano: `${to}000000`,
        },
        1,
      );
    };
    await db.write((uow) => insertSpans(uow, [at(1, undefined, 0, 100), at(2, 1, 10, 70), at(3, 2, 20, 50)]));
    await createSpanFollower(db).catchUp();
    const shown = await db.read((reader) => readWaterfall(reader, PROJECT, trace('a')));
    expect(shown.own_time).toEqual([
      { agent: 'a1', ms: 40 },
      { agent: 'a2', ms: 30 },
      { agent: 'a3', ms: 30 },
    ]);
    const session = await db.read((reader) => readSession(reader, PROJECT, 's'));
    expect(session.slowest.map(({ name }) => name)).toEqual(['span 3']);
    expect(session.agents).toEqual(['a1', 'a2', 'a3']);
  });

  it('keeps a bucket small, whatever names a sender thinks of', async () => {
    const db = await storeOf(open);
    const many = Array.from({ length: 2100 }, (_, at) => ({ attributes: { 'agent.id': `agent ${at}` } }));
    await put(db, many);
    await createSpanFollower(db).catchUp();
    const { items } = await stats(db, { by: 'agent', limit: 5000 });
    expect(items).toHaveLength(2001);
    expect(items[0]).toMatchObject({ key: '(others)', spans: 100 });
  });

  it('looks for attributes and durations in so many spans at once, and says where to go on', async () => {
    const db = await storeOf(open);
    await put(db, [
      { attributes: { color: 'red' } },
      { attributes: { color: 'blue' } },
      { attributes: { color: 'red' } },
    ]);
    const find = (question: object) =>
      db.read((reader) => findSpans(reader, PROJECT, { limit: 10, ...question }));
    const red = { attributes: [{ key: 'color', value: 'red' }] };
    expect((await find(red)).spans.map(({ span }) => span.name)).toEqual(['span 1', 'span 3']);
    const first = await find({ ...red, limit: 1, newest: true });
    expect([first.spans[0]?.span.name, first.more]).toEqual(['span 3', true]);
    const rest = await find({ ...red, newest: true, before: first.last });
    expect([rest.spans[0]?.span.name, rest.more]).toEqual(['span 1', false]);
    expect((await find({ minDurationMs: 2 })).spans).toEqual([]);
    expect((await find({ maxDurationMs: 2, words: 'SPAN 2' })).spans).toHaveLength(1);
  });

  it('forgets old spans with all that was made of them, keeps the failed and a share of the others', async () => {
    const db = await storeOf(open);
    const end = (digit: string) => `${'a'.repeat(24)}${digit.repeat(8)}`;
    await put(db, [
      { attributes: { 'session.id': 's' }, traceId: end('0') },
      { attributes: { 'session.id': 't' }, traceId: end('f') },
      { traceId: end('e'), failed: true },
    ]);
    await createSpanFollower(db).catchUp();
    const settings = {
      retentionDays: 30,
      retentionSpans: 100,
      retentionBytes: 1e9,
      healthyShare: 0.5,
      healthyAfterHours: 1,
    };
    const removed: string[] = [];
    const search = { remove: (_: unknown, { id }: { id: string }) => void removed.push(id) };
    const kept = async () =>
      (await db.read((reader) => listTraces(reader, PROJECT, {}, 10))).items.map(({ trace_id }) => trace_id);
    await createRetention(db, search, settings).run(DAY);
    expect(await kept()).toEqual([end('e'), end('0')]);
    const sessions = await db.read((reader) => selectSessions(reader, PROJECT, { limit: 10 }));
    expect(sessions.sessions.map(({ session_id }) => session_id)).toEqual(['s']);
    await createRetention(db, search, { ...settings, retentionBytes: 1 }).run(DAY);
    expect(await kept()).toEqual([]);
    expect((await stats(db, { by: 'agent' })).items[0]?.spans).toBe(3);
  });
});
