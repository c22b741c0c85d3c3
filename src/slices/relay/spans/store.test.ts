import { expect, it } from 'vitest';
import type { Database } from '../../../spine/storage/database.ts';
import { describeOnEachEngine, type OpenForTest } from '../../../spine/storage/testing.ts';
import { relayMigrations } from '../migrations.ts';
import { countSpooled, spoolSpans } from '../otlp/store.ts';
import { createSpanFollower } from '../traces/follow-spans.ts';
import { graphOfSession, graphOfTime } from '../traces/graph.ts';
import { findSpans } from './find-spans.ts';
import { selectSessions } from './session-store.ts';
import { countSpans, deleteSpans, ensureOrigin, insertSpans, selectOldSpans, selectSpans } from './store.ts';
import { newSpan, PROJECT, type TestSpanOptions, testOrigin, testSpan } from './testing.ts';

async function storeOf(open: OpenForTest, spans: readonly TestSpanOptions[]): Promise<Database> {
  const db = await open(relayMigrations);
  await db.write(async (uow) => {
    await ensureOrigin(uow, testOrigin);
    await ensureOrigin(uow, testOrigin);
    await insertSpans(
      uow,
      spans.map((options, at) => newSpan(testSpan(at + 1, options), at + 1)),
    );
  });
  await createSpanFollower(db).catchUp();
  return db;
}

const names = async (db: Database, filter: Partial<Parameters<typeof selectSpans>[2]>) =>
  (await db.read((reader) => selectSpans(reader, PROJECT, { limit: 100, ...filter }))).map(
    ({ span }) => span.name,
  );

const inSession = (session: string, more: Record<string, string> = {}) => ({
  attributes: { 'session.id': session, ...more },
});

describeOnEachEngine('spans', (open) => {
  it('come back whole, in the order in which they were stored, page by page', async () => {
    const db = await storeOf(open, [
      inSession('s'),
      { ...inSession('other'), traceId: 'b'.repeat(32) },
      inSession('s'),
    ]);
    const [first] = await db.read((reader) => selectSpans(reader, PROJECT, { sessionId: 's', limit: 1 }));
    expect(first).toMatchObject({ span: testSpan(1, inSession('s')), serviceName: 'tested' });
    expect(await names(db, { sessionId: 's', after: first?.seq ?? 0 })).toEqual(['span 3']);
    expect(await names(db, {})).toEqual(['span 1', 'span 2', 'span 3']);
  });

  it('that come twice are kept once, as they came first, in each project and trace', async () => {
    const db = await storeOf(open, [{}]);
    const insert = (projectId: string, options: TestSpanOptions) =>
      db.write((uow) => insertSpans(uow, [newSpan(testSpan(1, options), 2, projectId)]));
    expect(await insert(PROJECT, { failed: true })).toHaveLength(0);
    expect(await insert('p2', {})).toHaveLength(1);
    expect(await insert(PROJECT, { traceId: 'b'.repeat(32) })).toHaveLength(1);
    expect(await names(db, { traceId: 'a'.repeat(32) })).toEqual(['span 1']);
    const kept = await db.read((reader) => selectSpans(reader, PROJECT, { limit: 1 }));
    expect(kept[0]?.span.status).toEqual({});
  });

  it('are stored many at a time, each of them once, in the order given', async () => {
    const db = await open(relayMigrations);
    const many = Array.from({ length: 100 }, (_, at) => newSpan(testSpan(at + 1), at));
    const seqs = await db.write(async (uow) => {
      await ensureOrigin(uow, testOrigin);
      return insertSpans(uow, [...many, ...many.slice(0, 50)]);
    });
    expect(seqs).toHaveLength(100);
    expect(await names(db, {})).toEqual(many.map(({ span }) => span.name));
  });

  it('are counted by session, the latest first; a conversation is a session too', async () => {
    const db = await storeOf(open, [
      inSession('s', { 'agent.id': 'a' }),
      {
        attributes: { 'gen_ai.conversation.id': 's', 'agent.id': 'b' },
        traceId: 'b'.repeat(32),
        failed: true,
      },
      { ...inSession('later'), traceId: 'c'.repeat(32) },
      { traceId: 'd'.repeat(32) },
      // Names no session, in a trace that does: it failed, and the session must say so.
      { traceId: 'b'.repeat(32), failed: true },
    ]);
    const page = await db.read((reader) => selectSessions(reader, PROJECT, { limit: 10 }));
    expect(page).toMatchObject({ total: 2, last: undefined });
    expect(page.sessions).toMatchObject([
      { session_id: 's', traces: 2, spans: 3, agents: 2, errors: 2, first_us: 1000, last_us: 6000 },
      { session_id: 'later', traces: 1, spans: 1 },
    ]);
    const [one, two] = await db.read(async (reader) => {
      const first = await selectSessions(reader, PROJECT, { limit: 1 });
      return [first, await selectSessions(reader, PROJECT, { limit: 1, before: first.last })];
    });
    expect([one?.sessions[0]?.session_id, one?.total]).toEqual(['s', 2]);
    expect([two?.sessions[0]?.session_id, two?.total, two?.last]).toEqual(['later', 2, undefined]);
    const found = await db.read((reader) => selectSessions(reader, PROJECT, { limit: 10, words: 'LAT' }));
    expect(found).toMatchObject({ total: 1, sessions: [{ session_id: 'later' }] });
    const none = await db.read((reader) => selectSessions(reader, PROJECT, { limit: 10, words: '%' }));
    expect(none.sessions).toEqual([]);
    expect(await db.read((reader) => selectSessions(reader, 'p2', { limit: 10 }))).toEqual({
      sessions: [],
      total: 0,
      last: undefined,
    });
  });

  it('of one session are all reachable, at the same instant too, and say truly how many there are', async () => {
    const db = await storeOf(
      open,
      Array.from({ length: 25 }, (_, at) => ({
        ...inSession(`s${at % 5}`),
        traceId: String(at + 1).padStart(32, '0'),
      })),
    );
    const walked: number[] = [];
    await db.read(async (reader) => {
      for (let before: number | undefined; ; ) {
        const page = await selectSpans(reader, PROJECT, { sessionId: 's1', newest: true, before, limit: 2 });
        if (page.length === 0) break;
        walked.push(...page.map(({ seq }) => seq));
        before = page.at(-1)?.seq;
      }
      expect(await countSpans(reader, PROJECT, { sessionId: 's1' })).toEqual({ count: 5, exact: true });
      const named = await findSpans(reader, PROJECT, { words: 'SPAN 25', limit: 10 });
      expect(named).toMatchObject({ total: { count: 1, exact: true }, more: false });
    });
    expect(walked).toHaveLength(5);
    expect(walked).toEqual(walked.toSorted((a, b) => b - a));
  });

  it('draw the graph of who handed over to whom', async () => {
    const handed = (from: string, to: string) =>
      inSession('s', { 'graph.node.parent_id': from, 'graph.node.id': to });
    const db = await storeOf(open, [
      inSession('s', { 'agent.id': 'A' }),
      handed('A', 'relay'),
      { ...handed('A', 'relay'), failed: true },
      handed('relay', 'B'),
      { ...inSession('other', { 'agent.id': 'C' }), traceId: 'c'.repeat(32) },
    ]);
    const graph = await db.read((reader) => graphOfSession(reader, PROJECT, 's'));
    expect(graph.nodes).toEqual([
      { id: 'A', spans: 1, errors: 0 },
      { id: 'B', spans: 1, errors: 0 },
      { id: 'relay', spans: 2, errors: 1 },
    ]);
    expect(graph.edges).toMatchObject([
      { from: 'relay', to: 'B', spans: 1, errors: 0, mean_ms: 1 },
      { from: 'A', to: 'relay', spans: 2, errors: 1, mean_ms: 1 },
    ]);
    const everything = await db.read((reader) => graphOfTime(reader, PROJECT, 0, 1e9));
    expect(everything.nodes.map(({ id }) => id)).toEqual(['A', 'B', 'C', 'relay']);
    expect((await db.read((reader) => graphOfTime(reader, 'p2', 0, 1e9))).nodes).toEqual([]);
  });

  it('are pruned by age and by number, oldest first, and so is what waits to be sent of them', async () => {
    const db = await storeOf(open, [{}, {}, {}, {}, {}, {}]);
    await db.write(async (uow) => {
      const spans = await selectSpans(uow, PROJECT, { limit: 6 });
      await spoolSpans(
        uow,
        spans.map(({ seq }) => seq),
      );
    });
    const prune = (before: number, keep: number, atMost: number) =>
      db.write(async (uow) => {
        const seqs = await selectOldSpans(uow, { before, keep, atMost });
        await deleteSpans(uow, seqs);
        return seqs.length;
      });
    expect(await prune(3, 100, 1)).toBe(1);
    expect(await prune(3, 100, 10)).toBe(1);
    expect(await names(db, {})).toEqual(['span 3', 'span 4', 'span 5', 'span 6']);
    expect(await prune(0, 2, 10)).toBe(2);
    expect(await names(db, {})).toEqual(['span 5', 'span 6']);
    expect(await db.read(countSpooled)).toBe(2);
  });
});
