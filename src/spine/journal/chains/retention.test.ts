import { expect, it } from 'vitest';
import { verifyConsistency } from '../../../kernel/merkle/verify.ts';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { dropPayloads, selectLastNumbers } from '../events/event-store.ts';
import { journalMigrations } from '../migrations.ts';
import { moveOldest } from '../numbers/number-store.ts';
import { type TestJournal, testJournal, testTree } from '../testing.ts';
import { hashBytes } from '../tree/hex-hash.ts';
import { markPruned } from './chain-store.ts';
import { pruneEndedSessions } from './retention.ts';

const DAY = 86_400;

describeOnEachEngine('retention', (open) => {
  async function endedSession(rig: TestJournal) {
    const session = await rig.newSession();
    const started = await rig.appendOne(session, { agent_id: 'a', goal: 'g' }, 'session.started', 'trace');
    await rig.appendOne(session, { n: 1 });
    await rig.appendOne(session, { reason: 'completed', duration_ms: 1 }, 'session.ended', 'trace');
    return { session, started };
  }

  it('drops the payloads of whole ended sessions that are old enough, and of no other', async () => {
    const rig = testJournal(await open(journalMigrations));
    const running = await rig.newSession();
    await rig.appendOne(running, { kept: 'still running' });
    await endedSession(rig);
    rig.clock.advance({ seconds: 40 * DAY });
    await endedSession(rig);
    const cutoff = rig.clock.now() - 30 * DAY * 1_000_000;
    expect(await pruneEndedSessions(rig, cutoff)).toEqual({ sessions: 1, events: 3 });
    expect(await pruneEndedSessions(rig, cutoff)).toEqual({ sessions: 0, events: 0 });
    const rows = await rig.db.read((reader) =>
      reader.all<{ payload: string | null }>('select payload from events order by leaf'),
    );
    // The last one is the record of the dropping.
    expect(rows.map((row) => row.payload !== null)).toEqual([
      true,
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  it('keeps a session whose ledger was written to after it ended, until that is old too', async () => {
    const rig = testJournal(await open(journalMigrations));
    const { session } = await endedSession(rig);
    rig.clock.advance({ seconds: 40 * DAY });
    await rig.appendOne(session, { late: true });
    expect(await pruneEndedSessions(rig, rig.clock.now() - DAY * 1_000_000)).toMatchObject({
      sessions: 0,
    });
    rig.clock.advance({ seconds: 40 * DAY });
    expect(await pruneEndedSessions(rig, rig.clock.now() - DAY * 1_000_000)).toEqual({
      sessions: 1,
      events: 4,
    });
  });

  it('prunes more sessions than one unit takes', async () => {
    const rig = testJournal(await open(journalMigrations));
    for (let n = 0; n < 45; n += 1) await endedSession(rig);
    rig.clock.advance({ seconds: 2 * DAY });
    expect(await pruneEndedSessions(rig, rig.clock.now())).toEqual({
      sessions: 45,
      events: 135,
    });
  });

  it('leaves tree, numbers and other proofs sound, counts what is pruned, and proves it no more', async () => {
    const rig = testJournal(await open(journalMigrations));
    const { tree, verify } = await testTree(rig);
    const { session, started } = await endedSession(rig);
    const other = await rig.appendOne(await rig.newSession(), { n: 9 });
    const before = await tree.checkpoint();
    rig.clock.advance({ seconds: 2 * DAY });
    await pruneEndedSessions(rig, rig.clock.now() - DAY * 1_000_000);
    expect(await verify()).toMatchObject({
      valid: true,
      events: 5,
      pruned: 3,
      checkpoints: 1,
    });
    const { path } = await tree.consistency(4, 5);
    const after = await tree.inclusion(4);
    expect(
      verifyConsistency(rig.hasher, {
        first: 4,
        firstRoot: hashBytes(before?.root ?? ''),
        second: 5,
        secondRoot: hashBytes(after.root),
        path: path.map(hashBytes),
      }),
    ).toBe(true);
    await expect(tree.prove(started.eventId)).rejects.toMatchObject({ code: 'event_pruned' });
    await expect(tree.prove(other.eventId)).resolves.toMatchObject({ leaf_index: 3 });
    await rig.appendOne(session, { after: 'pruning' });
    expect(await verify()).toMatchObject({ valid: true, events: 6, pruned: 3 });
  });

  it('is an event of its project, on a chain that is never pruned itself, naming what is left by digest', async () => {
    const rig = testJournal(await open(journalMigrations));
    const { verify } = await testTree(rig);
    const { session } = await endedSession(rig);
    rig.clock.advance({ seconds: 400 * DAY });
    await pruneEndedSessions(rig, rig.clock.now() - DAY * 1_000_000);
    const { events } = await rig.feed.page({ types: ['retention.applied'] });
    const [record] = events;
    expect(record?.projectId).toBe('p1');
    expect(JSON.parse(record?.line ?? '').payload).toEqual({
      chains: expect.arrayContaining([
        { chain_id: session, through: 1, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ]),
    });
    rig.clock.advance({ seconds: 400 * DAY });
    expect(await pruneEndedSessions(rig, rig.clock.now())).toEqual({ sessions: 0, events: 0 });
    expect(await verify()).toMatchObject({ valid: true, pruned: 3 });
  });

  it('adopts what an earlier version dropped before the first checkpoint that vouches for a record, and nothing after it', async () => {
    const rig = testJournal(await open(journalMigrations));
    const { tree, verify } = await testTree(rig);
    await endedSession(rig);
    const later = await endedSession(rig);
    rig.clock.advance({ seconds: 2 * DAY });
    const dropWithoutRecord = (sessionId: string) =>
      rig.db.write(async (uow) => {
        await markPruned(uow, sessionId);
        const last = await selectLastNumbers(uow, sessionId);
        await dropPayloads(uow, sessionId);
        if (last) await moveOldest(uow, 'p1', last);
      });
    await dropWithoutRecord((await rig.feed.page({})).events[0]!.sessionId);
    expect(await verify()).toMatchObject({ valid: true, pruned: 3 });
    await tree.checkpoint();
    expect((await rig.feed.page({ types: ['retention.adopted'] })).events).toHaveLength(1);
    expect(await verify()).toMatchObject({ valid: true, pruned: 3 });
    await dropWithoutRecord(later.session);
    const report = await verify();
    expect([...new Set(report.faults.map(({ kind }) => kind))]).toEqual([
      'pruning_unrecorded',
      'payload_missing',
      'counter_mismatch',
    ]);
    await expect(tree.checkpoint()).resolves.toBeDefined();
    expect((await rig.feed.page({ types: ['retention.adopted'] })).events).toHaveLength(1);
  });
});
