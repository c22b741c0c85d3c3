import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalAppendixB } from '../../../kernel/json/canonical/appendix-b.ts';
import { createChainVerifier } from '../../../kernel/trace/verify-chain.ts';
import { nodeHasher } from '../../../platform/index.ts';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { exportChain } from '../chains/export-chain.ts';
import { pruneEndedSessions } from '../chains/retention.ts';
import { selectActivity } from '../feed/activity-store.ts';
import { journalMigrations } from '../migrations.ts';
import { type TestJournal, testJournal, testTree } from '../testing.ts';
import { canLead, idInRun, idsOfHead, MOST_IN_A_ROW } from './event-run.ts';
import { countChainEvents, selectChainEvents, selectEventAt, selectEventHeads } from './event-store.ts';
import { payloadCodec, plainPayloads } from './payload-codec.ts';
import type { JournalEvent } from './stored-event.ts';

const runs = process.env.BATON_PROVE === '1' ? 150 : 6;
const DAY = 86_400;

describe('the ids of a row', () => {
  const head = '018f0000-0000-7abc-8def-0123fffffff0';

  it('count up from the first in order, and lead back to it', () => {
    const ids = Array.from({ length: 10 }, (_, at) => idInRun(head, at));
    expect(ids[0]).toBe(head);
    expect(ids[9]).toBe('018f0000-0000-7abc-8def-0123fffffff9');
    expect([...ids].sort()).toEqual(ids);
    for (const id of ids) {
      const [lowest, highest] = idsOfHead(id);
      expect(lowest <= head && head <= highest).toBe(true);
    }
  });

  it('never run over into what is not counted', () => {
    expect(canLead(head, 16)).toBe(true);
    expect(canLead(head, 17)).toBe(false);
  });
});

/** Appended one by one or together: between them is no difference but the rows. */
interface Step {
  readonly session: number;
  readonly type: 'policy.evaluated' | 'context.injected';
  readonly count: number;
  readonly together: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  session: fc.nat({ max: 1 }),
  type: fc.constantFrom('policy.evaluated' as const, 'context.injected' as const),
  count: fc.oneof(fc.nat({ max: 4 }), fc.constantFrom(MOST_IN_A_ROW, MOST_IN_A_ROW + 1, 70)),
  together: fc.boolean(),
});

describeOnEachEngine('several events in one row', (open) => {
  async function play(rig: TestJournal, steps: readonly Step[]) {
    const sessions = [await rig.newSession('p1'), await rig.newSession('p2')];
    let n = 0;
    const spanId = rig.ids();
    for (const { session, type, count, together } of steps) {
      const payloads = Array.from({ length: count }, () => ({ n: n++, text: 'a\nb “c” \u0001' }));
      const chain = { sessionId: sessions[session] as string, kind: 'trace' as const };
      await rig.db.write(async (uow) => {
        if (together) await rig.journal.appendAll(uow, { chain, type, spanId, payloads });
        else for (const payload of payloads) await rig.journal.append(uow, { chain, type, spanId, payload });
      });
    }
    await rig.sequencer.run();
    return { sessions, count: n };
  }

  /** What every reader must show, told by the events alone. */
  async function expectSame(rig: TestJournal, sessions: readonly string[], count: number, page: number) {
    const all: JournalEvent[] = [];
    for (let after = -1; ; ) {
      const { events, next } = await rig.feed.page({ after, limit: page });
      if (events.length === 0) break;
      all.push(...events);
      after = next;
    }
    expect(all.map(({ leaf, event }) => [leaf, event.payload?.n])).toEqual(
      Array.from({ length: count }, (_, at) => [at, at]),
    );
    expect(new Set(all.map(({ event }) => event.event_id)).size).toBe(count);
    const backwards: JournalEvent[] = [];
    for (let before: number | null = count; before !== null; ) {
      const { events, previous } = await rig.feed.newest({ before, limit: page });
      backwards.unshift(...events);
      before = previous;
    }
    expect(backwards).toEqual(all);
    for (const [at, sessionId] of sessions.entries()) {
      const mine = all.filter((each) => each.sessionId === sessionId);
      const projectId = `p${at + 1}`;
      expect(mine.map(({ projectSeq }) => projectSeq)).toEqual(mine.map((_, nth) => nth + 1));
      const ofType = mine.filter(({ event }) => event.event_type === 'policy.evaluated');
      const types = ['policy.*'];
      const after = Math.floor(mine.length / 2);
      expect((await rig.feed.page({ projectId, types, after, limit: 1000 })).events).toEqual(
        ofType.filter(({ projectSeq }) => projectSeq > after),
      );
      const lines: string[] = [];
      for await (const line of exportChain(rig.db, sessionId, rig.payloads)) lines.push(line.slice(0, -1));
      expect(lines).toEqual(mine.map(({ line }) => line));
      const verifier = createChainVerifier(nodeHasher, { kind: 'trace', mode: 'exact' });
      for (const line of lines) verifier.push(line);
      expect(verifier.finish()).toMatchObject({ valid: true, event_count: mine.length });
      await rig.db.read(async (reader) => {
        expect(await countChainEvents(reader, sessionId)).toEqual({
          total: mine.length,
          last: mine.length - 1,
        });
        const rest = await selectChainEvents(reader, rig.payloads, sessionId, { after, limit: page });
        expect(rest.map(({ event_id }) => event_id)).toEqual(
          mine.slice(after + 1, after + 1 + page).map(({ event }) => event.event_id),
        );
        const activity = await selectActivity(reader, {
          projectId,
          fromMicros: 0,
          bucketMicros: Number.MAX_SAFE_INTEGER,
          newest: 10_000,
        });
        const counted = activity.counts.map(({ type, count }) => [type, count]);
        expect(Object.fromEntries(counted)['policy.evaluated'] ?? 0).toBe(ofType.length);
      });
    }
    await rig.db.read(async (reader) => {
      const heads = await selectEventHeads(
        reader,
        all.map(({ event }) => event.event_id),
      );
      expect(new Map(heads.map((head) => [head.leaf, head.event_hash]))).toEqual(
        new Map(all.map(({ leaf, event }) => [leaf, event.event_hash])),
      );
      for (const { leaf, event } of all.slice(0, 5)) {
        expect((await selectEventAt(reader, rig.payloads, leaf))?.event_id).toBe(event.event_id);
      }
      expect(await selectEventAt(reader, rig.payloads, count)).toBeUndefined();
    });
    return all;
  }

  it('read as events of their own to every reader, sealed or plain', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.constantFrom(1, 7, 33, 1000),
        fc.boolean(),
        async (steps, page, sealed) => {
          const payloads = sealed ? payloadCodec([new Uint8Array(32).fill(7)]) : plainPayloads;
          const rig = testJournal(await open(journalMigrations), 1, payloads);
          const kit = await testTree(rig);
          const { sessions, count } = await play(rig, steps);
          const all = await expectSame(rig, sessions, count, page);
          expect(await kit.verify(5)).toMatchObject({ valid: true, events: count });
          for (const { event } of [...all.slice(0, 2), ...all.slice(-2)]) {
            const bundle = await kit.tree.prove(event.event_id);
            expect(bundle.event).toEqual(event);
          }
        },
      ),
      { numRuns: runs },
    );
  });

  it('are as many rows as it takes', async () => {
    const rig = testJournal(await open(journalMigrations));
    await play(rig, [{ session: 0, type: 'policy.evaluated', count: 70, together: true }]);
    const rows = await rig.db.read((reader) =>
      reader.all<{ run_length: number }>('select run_length from events order by leaf'),
    );
    expect(rows.map(({ run_length }) => run_length)).toEqual([MOST_IN_A_ROW, MOST_IN_A_ROW, 6]);
  });

  it('are hashed as CRA hashes them, one after the other', async () => {
    const rig = testJournal(await open(journalMigrations));
    const { sessions } = await play(rig, [
      { session: 0, type: 'policy.evaluated', count: 3, together: true },
    ]);
    let previous = '0'.repeat(64);
    const { events } = await rig.feed.page({});
    for (const [at, { event }] of events.entries()) {
      const { event_id, trace_id, span_id, timestamp, payload } = event;
      const preimage = `1.0${event_id}${trace_id}${span_id}${sessions[0]}${at}${timestamp}policy.evaluated`;
      const hash = nodeHasher.hex(preimage + canonicalAppendixB(payload ?? {}) + previous);
      expect([event.sequence, event.previous_event_hash, event.event_hash]).toEqual([at, previous, hash]);
      previous = hash;
    }
  });

  it('are each proved by a file that says nothing of the others', async () => {
    const rig = testJournal(await open(journalMigrations));
    const kit = await testTree(rig);
    await play(rig, [{ session: 0, type: 'policy.evaluated', count: 40, together: true }]);
    const { events } = await rig.feed.page({});
    for (const { event } of events) {
      const bundle = await kit.tree.prove(event.event_id);
      expect(JSON.stringify(bundle)).not.toContain(`"n":${(Number(event.payload?.n) + 1) % 40}`);
    }
    const near = `${events[0]?.event.event_id.slice(0, -8)}ffffffff`;
    await expect(kit.tree.prove(near)).rejects.toMatchObject({ code: 'event_not_found' });
  });

  it('lose their payloads together, and keep their hashes', async () => {
    const rig = testJournal(await open(journalMigrations));
    const kit = await testTree(rig);
    const { sessions } = await play(rig, [
      { session: 0, type: 'policy.evaluated', count: 5, together: true },
      { session: 1, type: 'policy.evaluated', count: 2, together: true },
    ]);
    await kit.tree.checkpoint();
    const [ended] = sessions as [string];
    await rig.appendOne(ended, { reason: 'completed', duration_ms: 1 }, 'session.ended', 'trace');
    const before = await rig.feed.page({});
    rig.clock.advance({ seconds: 2 * DAY });
    expect(await pruneEndedSessions(rig, rig.clock.now())).toEqual({ sessions: 1, events: 6 });
    const rows = await rig.db.read((reader) =>
      selectChainEvents(reader, plainPayloads, ended, { after: -1, limit: 10 }),
    );
    expect(rows.map(({ payload, event_hash }) => [payload, event_hash])).toEqual(
      before.events
        .filter(({ sessionId }) => sessionId === ended)
        .map(({ event }) => [null, event.event_hash]),
    );
    expect(await kit.verify()).toMatchObject({ valid: true, pruned: 6 });
    await expect(kit.tree.prove(before.events[1]?.event.event_id ?? '')).rejects.toMatchObject({
      code: 'event_pruned',
    });
  });

  it.each([
    ['a payload in the middle', `payload = replace(payload, '"n":2', '"n":9')`],
    ['a payload taken out', `payload = substr(payload, 1, 40)`],
    ['a payload put in', `payload = payload || substr(payload, 1, 0) || chr(10) || '{}'`],
    ['a hash in the middle', `run_hashes = substr(run_hashes, 65, 64) || substr(run_hashes, 1, 64)`],
    ['the instant of the row', 'time_us = time_us + 1'],
    ['the id of the row', `event_id = substr(event_id, 1, 28) || '00000000'`],
    ['the place of the row', 'leaf = leaf + 50, project_seq = project_seq + 50'],
  ])('are told when somebody changes %s', async (_what, change) => {
    const rig = testJournal(await open(journalMigrations));
    const kit = await testTree(rig);
    await play(rig, [
      { session: 0, type: 'policy.evaluated', count: 3, together: true },
      { session: 0, type: 'context.injected', count: 3, together: true },
    ]);
    await kit.tree.checkpoint();
    const sql = rig.db.engine === 'sqlite' ? change.replace('chr(', 'char(') : change;
    await rig.db.write((uow) => uow.run(`update events set ${sql} where event_type = 'policy.evaluated'`));
    const report = await kit.verify();
    expect(report.valid).toBe(false);
    expect(report.faults.some(({ table }) => table === 'events')).toBe(true);
  });

  it('cannot say that they are more or fewer than their hashes', async () => {
    const rig = testJournal(await open(journalMigrations));
    await play(rig, [{ session: 0, type: 'policy.evaluated', count: 3, together: true }]);
    for (const change of ['run_length = 2', 'run_length = null', 'run_hashes = null', `run_hashes = ''`]) {
      await expect(rig.db.write((uow) => uow.run(`update events set ${change}`))).rejects.toThrow();
    }
  });
});
