import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { journalMigrations } from '../migrations.ts';
import { type TestJournal, testJournal, testTree } from '../testing.ts';
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
    expect(await pruneEndedSessions(rig.db, rig.sequencer, cutoff)).toEqual({ sessions: 1, events: 3 });
    expect(await pruneEndedSessions(rig.db, rig.sequencer, cutoff)).toEqual({ sessions: 0, events: 0 });
    const rows = await rig.db.read((reader) =>
      reader.all<{ payload: string | null }>('select payload from events order by leaf'),
    );
    expect(rows.map((row) => row.payload !== null)).toEqual([true, false, false, false, true, true, true]);
  });

  it('keeps a session whose ledger was written to after it ended, until that is old too', async () => {
    const rig = testJournal(await open(journalMigrations));
    const { session } = await endedSession(rig);
    rig.clock.advance({ seconds: 40 * DAY });
    await rig.appendOne(session, { late: true });
    expect(await pruneEndedSessions(rig.db, rig.sequencer, rig.clock.now() - DAY * 1_000_000)).toMatchObject({
      sessions: 0,
    });
    rig.clock.advance({ seconds: 40 * DAY });
    expect(await pruneEndedSessions(rig.db, rig.sequencer, rig.clock.now() - DAY * 1_000_000)).toEqual({
      sessions: 1,
      events: 4,
    });
  });

  it('prunes more sessions than one unit takes', async () => {
    const rig = testJournal(await open(journalMigrations));
    for (let n = 0; n < 45; n += 1) await endedSession(rig);
    rig.clock.advance({ seconds: 2 * DAY });
    expect(await pruneEndedSessions(rig.db, rig.sequencer, rig.clock.now())).toEqual({
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
    await pruneEndedSessions(rig.db, rig.sequencer, rig.clock.now() - DAY * 1_000_000);
    expect(await verify()).toMatchObject({
      valid: true,
      events: 4,
      pruned: 3,
      checkpoints: 1,
      root: before?.root,
    });
    await expect(tree.prove(started.eventId)).rejects.toMatchObject({ code: 'event_pruned' });
    await expect(tree.prove(other.eventId)).resolves.toMatchObject({ leaf_index: 3 });
    await rig.appendOne(session, { after: 'pruning' });
    expect(await verify()).toMatchObject({ valid: true, events: 5, pruned: 3 });
  });
});
