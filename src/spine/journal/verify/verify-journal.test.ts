import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { journalMigrations } from '../migrations.ts';
import { testJournal, testTree } from '../testing.ts';
import { verifyJournal } from './verify-journal.ts';

describeOnEachEngine('verifying the journal', (open) => {
  /** Two sessions in two projects, interleaved; one ended; a checkpoint in the middle and one at the end. */
  async function story() {
    const rig = testJournal(await open(journalMigrations));
    const kit = await testTree(rig);
    const [one, two] = [await rig.newSession('p1'), await rig.newSession('p2')];
    await rig.appendOne(one, { agent_id: 'a', goal: 'g' }, 'session.started', 'trace');
    await rig.appendOne(two, { n: 1 });
    await rig.appendOne(one, { n: 2 });
    await kit.tree.checkpoint();
    await rig.appendOne(two, { n: 3 });
    await rig.appendOne(one, { n: 4 });
    await rig.appendOne(one, { reason: 'completed', duration_ms: 1 }, 'session.ended', 'trace');
    await kit.tree.checkpoint();
    return { ...rig, ...kit, one, two };
  }

  const kindsOf = (report: { faults: readonly { kind: string }[] }) =>
    [...new Set(report.faults.map(({ kind }) => kind))].sort();

  it('finds nothing wrong with a journal that is right, in batches of any size', async () => {
    const { verify } = await story();
    for (const batch of [1, 2, 3, 100]) {
      expect(await verify(batch)).toMatchObject({
        valid: true,
        events: 6,
        chains: 4,
        pruned: 0,
        checkpoints: 2,
        faults: [],
      });
    }
  });

  it('finds an empty journal valid', async () => {
    const { verify } = await testTree(testJournal(await open(journalMigrations)));
    expect(await verify()).toMatchObject({ valid: true, events: 0, chains: 0 });
  });

  it('reports progress up to the whole', async () => {
    const rig = await story();
    const seen: [number, number][] = [];
    await verifyJournal(rig.db, {
      hasher: rig.hasher,
      verifyEd25519: () => true,
      trustedKeys: rig.signer.trustedKeys,
      batch: 4,
      progress: (events, total) => seen.push([events, total]),
    });
    expect(seen.at(-1)).toEqual([6, 6]);
  });

  const LEDGER_OF_ONE = "(select chain_id from chains where session_id = ? and kind = 'ledger')";

  it.each([
    ['a changed payload', `update events set payload = '{"n":9}' where leaf = 2`, ['hash_mismatch']],
    [
      'a payload that is gone without retention',
      'update events set payload = null where leaf = 2',
      ['payload_missing'],
    ],
    [
      'a changed time',
      `update events set timestamp = '2026-01-01T00:00:00.000009Z' where leaf = 2`,
      ['hash_mismatch', 'time_mismatch'],
    ],
    [
      'a type moved into the payload',
      `update events set event_type = 'test.happene' where leaf = 2`,
      ['hash_mismatch'],
    ],
    [
      'characters moved between fields where the hash cannot see it',
      `update events set event_type = 'test.happene', payload = 'd{"n":2}' where leaf = 2`,
      ['invalid_event'],
    ],
    [
      'ids cut at another place',
      'update events set event_id = event_id || substr(trace_id, 1, 1), trace_id = substr(trace_id, 2) where leaf = 2',
      ['invalid_event', 'trace_mismatch'],
    ],
    [
      'an event of another project',
      `update events set project_id = 'p9' where leaf = 2`,
      ['counter_mismatch', 'project_gap', 'project_mismatch'],
    ],
    [
      'a changed hash',
      `update events set event_hash = '${'ab'.repeat(32)}' where leaf = 2`,
      ['chain_broken', 'checkpoint_mismatch', 'hash_mismatch'],
    ],
    [
      'a missing event',
      'delete from events where leaf = 2',
      ['checkpoint_mismatch', 'invalid_genesis', 'journal_cut', 'leaf_gap', 'project_gap', 'sequence_gap'],
    ],
    [
      'a missing last event',
      'delete from events where leaf = 5',
      ['chain_cut', 'counter_mismatch', 'journal_cut'],
    ],
    ['a leaf out of order', 'update events set leaf = 99 where leaf = 5', ['counter_mismatch', 'leaf_gap']],
    ['a counter that runs ahead', 'update journal_head set next_leaf = 9', ['counter_mismatch']],
    [
      'a project that counts wrong',
      "update journal_projects set next_seq = 9 where project_id = 'p2'",
      ['counter_mismatch'],
    ],
    [
      'a head that its events do not reach',
      "update chains set next_sequence = 9 where kind = 'ledger'",
      ['chain_cut'],
    ],
    [
      'a head of another hash',
      `update chains set head_hash = '${'00'.repeat(32)}' where kind = 'ledger'`,
      ['chain_head_mismatch'],
    ],
    [
      'a checkpoint with another root beside it',
      `update checkpoints set root = '${'00'.repeat(32)}' where size = 3`,
      ['checkpoint_mismatch'],
    ],
  ])('finds %s', async (_, statement, errors) => {
    const { db, verify } = await story();
    await db.write((uow) => uow.run(statement));
    for (const batch of [1, 100]) {
      const report = await verify(batch);
      expect(report.valid).toBe(false);
      expect(kindsOf(report)).toEqual(errors);
    }
  });

  it('says at which event of which chain', async () => {
    const { db, verify } = await story();
    await db.write((uow) => uow.run(`update events set payload = '{}' where leaf = 4`));
    const event = await db.read((reader) =>
      reader.get<{ event_id: string; chain_id: string }>(
        'select event_id, chain_id from events where leaf = 4',
      ),
    );
    expect((await verify()).faults).toEqual([
      {
        kind: 'hash_mismatch',
        message: 'The hash does not match the event.',
        eventId: event?.event_id,
        leaf: 4,
        chain: event?.chain_id,
        sequence: 1,
        table: 'events',
        key: event?.event_id,
      },
    ]);
  });

  it('finds a checkpoint whose text was changed', async () => {
    const { db, verify } = await story();
    await db.write(async (uow) => {
      const stored = await uow.get<{ note: string }>('select note from checkpoints where size = 3');
      const forged = stored?.note.replace('\n3\n', '\n2\n') ?? '';
      await uow.run('update checkpoints set note = ? where size = 3', [forged]);
    });
    expect(kindsOf(await verify())).toEqual(['checkpoint_forged']);
  });

  it('finds a chain all of whose events are gone', async () => {
    const { db, verify, one } = await story();
    await db.write((uow) => uow.run(`delete from events where chain_id = ${LEDGER_OF_ONE}`, [one]));
    expect((await verify()).faults.filter(({ kind }) => kind === 'chain_cut').length).toBe(1);
  });

  it('finds a rewritten history even when every hash and link was made anew', async () => {
    const { db, verify, hasher } = await story();
    await db.write(async (uow) => {
      const rows = await uow.all<Record<string, string | number | null>>(
        "select * from events where chain_id in (select chain_id from chains where kind = 'ledger') order by chain_id, sequence",
      );
      let previous = '';
      for (const row of rows) {
        previous = row.sequence === 0 ? '0'.repeat(64) : previous;
        const payload = '{"n":"forged"}';
        const hash = hasher.hex(
          `1.0${row.event_id}${row.trace_id}${row.span_id}${row.parent_span_id ?? ''}${row.chain_id}${row.sequence}${row.timestamp}${row.event_type}${payload}${previous}`,
        );
        await uow.run(
          'update events set payload = ?, event_hash = ?, previous_event_hash = ? where seq = ?',
          [payload, hash, previous, row.seq as number],
        );
        await uow.run('update chains set head_hash = ? where chain_id = ?', [hash, row.chain_id as string]);
        previous = hash;
      }
    });
    expect(kindsOf(await verify())).toEqual(['checkpoint_mismatch']);
  });

  it('finds a stored node of the tree that its events do not make', async () => {
    const rig = testJournal(await open(journalMigrations));
    const { tree, verify } = await testTree(rig);
    const session = await rig.newSession();
    await rig.db.write(async (uow) => {
      for (let n = 0; n < 300; n += 1) await rig.append(uow, session, { n });
    });
    await tree.checkpoint();
    expect(await verify(64)).toMatchObject({ valid: true });
    await rig.db.write((uow) => uow.run('update tree_nodes set hash = ?', ['00'.repeat(32)]));
    expect(kindsOf(await verify(64))).toEqual(['tree_node_mismatch']);
  });

  it('does not trust checkpoints of a key that it was not given', async () => {
    const rig = await story();
    const stranger = await testTree(rig);
    expect(kindsOf(await stranger.verify())).toEqual(['checkpoint_key_unknown']);
  });

  it('takes events that are committed while it runs for neither missing nor wrong', async () => {
    const rig = await story();
    const report = await verifyJournal(rig.db, {
      hasher: rig.hasher,
      verifyEd25519: () => true,
      trustedKeys: rig.signer.trustedKeys,
      batch: 2,
      pause: async () => {
        await rig.appendOne(rig.two, { late: true });
      },
    });
    expect(report).toMatchObject({ valid: true, faults: [] });
  });
});
