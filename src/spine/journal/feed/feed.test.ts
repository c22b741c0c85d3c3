import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { pruneEndedSessions } from '../chains/retention.ts';
import type { JournalEvent } from '../events/stored-event.ts';
import { journalMigrations } from '../migrations.ts';
import { type TestJournal, testJournal } from '../testing.ts';
import { longPoll } from './feed.ts';

const numberOf = ({ event }: JournalEvent) => event.payload?.n;

describeOnEachEngine('the feed', (open) => {
  const rig = async () => testJournal(await open(journalMigrations));

  async function fill(rig: TestJournal, count: number, projectId = 'p1') {
    const session = await rig.newSession(projectId);
    for (let n = 0; n < count; n += 1) await rig.appendOne(session, { n });
    return session;
  }

  it('pages through all events in order, whatever the page size', async () => {
    const journal = await rig();
    await fill(journal, 7);
    const seen: unknown[] = [];
    let after = -1;
    for (;;) {
      const page = await journal.feed.page({ after, limit: 3 });
      if (page.events.length === 0) break;
      seen.push(...page.events.map(numberOf));
      after = page.next;
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(after).toBe(6);
  });

  it.each([
    ['all', {}, [0, 1, 2, 3, 4, 5, 6]],
    ['a project’s', { projectId: 'p1' }, [0, 1, 2, 3, 4, 5, 6]],
    ['one type of', { types: ['fact.asserted'] }, [1, 3, 5]],
  ])('pages back through %s events to the first, whatever the page size', async (_which, filter, all) => {
    const journal = await rig();
    const session = await journal.newSession('p1');
    for (let n = 0; n < 7; n += 1) {
      await journal.appendOne(session, { n }, n % 2 === 1 ? 'fact.asserted' : 'package.deposited');
    }
    for (const limit of [1, 2, 3, 7, 8]) {
      const seen: unknown[] = [];
      let before: number | null = null;
      do {
        const page = await journal.feed.newest({ ...filter, limit, ...(before !== null && { before }) });
        const after = await journal.feed.page({ ...filter, after: page.next, limit: 1 });
        expect(after.events.map(numberOf)).toEqual(seen.slice(0, 1));
        seen.unshift(...page.events.map(numberOf));
        before = page.previous;
      } while (before !== null);
      expect([limit, seen]).toEqual([limit, all]);
    }
  });

  it('numbers a project’s events for itself', async () => {
    const journal = await rig();
    await fill(journal, 2, 'other');
    await fill(journal, 3, 'mine');
    const { events, next } = await journal.feed.page({ projectId: 'mine' });
    expect(events.map(({ projectSeq, leaf }) => [projectSeq, leaf])).toEqual([
      [1, 2],
      [2, 3],
      [3, 4],
    ]);
    expect(next).toBe(3);
    expect((await journal.feed.page({ projectId: 'nobody' })).events).toEqual([]);
  });

  it('moves its cursor past what the filter leaves out', async () => {
    const journal = await rig();
    const session = await journal.newSession();
    await journal.appendOne(session, {}, 'package.deposited');
    await journal.appendOne(session, {}, 'package_x.deposited');
    await journal.appendOne(session, {}, 'fact.asserted');
    await journal.appendOne(session, {}, 'session.started', 'trace');
    const types = async (...filter: string[]) => {
      const { events, next } = await journal.feed.page({ types: filter });
      return [events.map(({ event }) => event.event_type), next];
    };
    expect(await types('fact.asserted')).toEqual([['fact.asserted'], 3]);
    expect(await types('package.*', 'session.started')).toEqual([
      ['package.deposited', 'session.started'],
      3,
    ]);
    expect(await types('package_x.*')).toEqual([['package_x.deposited'], 3]);
    expect(await types('none.such')).toEqual([[], 3]);
    const trace = await journal.feed.page({ chain: { sessionId: session, kind: 'trace' } });
    expect(trace.events.map(({ kind, sessionId }) => [kind, sessionId])).toEqual([['trace', session]]);
  });

  it('follows from any number on, and never misses or repeats what is committed meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 5 }),
        fc.integer({ min: 1, max: 20 }),
        fc.nat({ max: 3 }),
        async (before, during, limit) => {
          const journal = await rig();
          const session = await fill(journal, before);
          const stop = new AbortController();
          const seen: unknown[] = [];
          const reader = (async () => {
            for await (const event of journal.feed.follow({ limit: limit + 1, signal: stop.signal })) {
              seen.push(event.leaf);
              if (seen.length === before + during) stop.abort();
            }
          })();
          await Promise.all(Array.from({ length: during }, (_, n) => journal.appendOne(session, { n })));
          await reader;
          expect(seen).toEqual(Array.from({ length: before + during }, (_, leaf) => leaf));
        },
      ),
      { numRuns: process.env.BATON_PROVE === '1' ? 100 : 8 },
    );
  });

  it('wakes for the commits of another handle on the same store', async () => {
    const journal = await rig();
    const session = await journal.newSession();
    const other = testJournal(await open(journalMigrations, { beside: journal.db }), 2);
    const stop = new AbortController();
    const first = (async () => {
      for await (const event of journal.feed.follow({ signal: stop.signal })) return numberOf(event);
    })();
    await other.appendOne(session, { n: 42 });
    expect(await first).toBe(42);
  });

  it('serves many followers at once, each with everything', async () => {
    const journal = await rig();
    const session = await journal.newSession();
    const counts = Array.from({ length: 50 }, async () => {
      const seen: number[] = [];
      const { signal } = new AbortController();
      for await (const { leaf } of journal.feed.follow({ signal })) {
        if (seen.push(leaf) === 10) break;
      }
      return seen;
    });
    for (let n = 0; n < 10; n += 1) await journal.appendOne(session, { n });
    for (const seen of await Promise.all(counts)) expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('ends when the reader has gone', async () => {
    const journal = await rig();
    const stop = new AbortController();
    const follow = journal.feed.follow({ signal: stop.signal })[Symbol.asyncIterator]();
    const next = follow.next();
    stop.abort();
    expect((await next).done).toBe(true);
  });

  it('answers a long poll at once when there is something, and otherwise when something comes', async () => {
    const journal = await rig();
    const session = await fill(journal, 2);
    const { signal } = new AbortController();
    const now = await longPoll(journal.feed, { after: -1, waitSeconds: 55, signal });
    expect(now.events.map(numberOf)).toEqual([0, 1]);
    const waiting = longPoll(journal.feed, { after: now.next, waitSeconds: 55, signal });
    await journal.appendOne(session, { n: 2 });
    expect((await waiting).events.map(numberOf)).toEqual([2]);
    const empty = await longPoll(journal.feed, { after: 2, waitSeconds: 0, signal });
    expect(empty).toEqual({ events: [], next: 2 });
  });

  it('gives up a long poll when its time is over or its reader has gone', async () => {
    const journal = await rig();
    const gone = new AbortController();
    const waiting = longPoll(journal.feed, { after: -1, waitSeconds: 55, signal: gone.signal });
    gone.abort();
    expect((await waiting).events).toEqual([]);
    const { signal } = new AbortController();
    expect((await longPoll(journal.feed, { after: -1, waitSeconds: 0.05, signal })).events).toEqual([]);
  });

  it('answers 410 below what retention has dropped, says what is the oldest, and starts there without a cursor', async () => {
    const journal = await rig();
    const kept = await fill(journal, 1);
    const ended = await journal.newSession();
    await journal.appendOne(ended, { reason: 'completed', duration_ms: 1 }, 'session.ended', 'trace');
    journal.clock.advance({ seconds: 100 });
    await journal.appendOne(kept, { n: 1 });
    await pruneEndedSessions(journal, journal.clock.now() - 50_000_000);
    expect(await journal.feed.oldest()).toBe(2);
    expect(await journal.feed.oldest('p1')).toBe(3);
    for (const query of [{ after: 0 }, { after: 1, projectId: 'p1' }]) {
      await expect(journal.feed.page(query)).rejects.toMatchObject({ code: 'cursor_expired', status: 410 });
    }
    const types = ['test.happened'];
    expect((await journal.feed.page({ after: 1, types })).events.map(numberOf)).toEqual([1]);
    expect((await journal.feed.page({ types })).events.map(numberOf)).toEqual([1]);
    const { events } = await journal.feed.page({});
    expect(events.map(({ event }) => event.event_type)).toEqual(['test.happened', 'retention.applied']);
    expect(await journal.feed.newest({ before: 3, limit: 1 })).toMatchObject({ previous: null });
    expect((await journal.feed.newest({ before: 2 })).events).toEqual([]);
  });
});
