import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pruneEndedSessions } from '../../src/spine/journal/chains/retention.ts';
import { journalMigrations } from '../../src/spine/journal/migrations.ts';
import { testJournal, testTree } from '../../src/spine/journal/testing.ts';
import type { JournalReport } from '../../src/spine/journal/verify/report.ts';
import { verifyStore } from '../../src/spine/journal/verify/verify-in-thread.ts';
import type { Database } from '../../src/spine/storage/database.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { type Expected, isNoticed, type TamperCase } from '../tamper/case.ts';
import { type Column, columnsOf, otherValues } from '../tamper/column-edits.ts';
import { imageOf, type StoreCopy, type StoreImage } from '../tamper/store-image.ts';

const DAY = 86_400;

/** The row of a table that is edited or deleted, and how it is told. */
interface Victim {
  readonly what: string;
  readonly where: string;
  readonly key: string;
}

/** Every table of the journal, with a row of each kind that is checked in another way. */
const TABLES: Readonly<Record<string, readonly Victim[]>> = {
  events: [
    { what: 'an event', where: 'leaf = 300', key: 'event_id' },
    { what: 'several events in one row', where: 'run_length is not null', key: 'event_id' },
    { what: 'the first event of a chain', where: 'leaf = 3', key: 'event_id' },
    { what: 'the newest event', where: 'leaf = (select max(leaf) from events)', key: 'event_id' },
    {
      what: 'an event without its payload',
      where: 'leaf = (select min(leaf) from events where payload is null)',
      key: 'event_id',
    },
  ],
  chains: [
    {
      what: 'an open ledger',
      where: 'chain_id = (select chain_id from events where leaf = 300)',
      key: 'chain_id',
    },
    {
      what: 'a trace that ended',
      where: "kind = 'trace' and ended = 1 and pruned_through < 0",
      key: 'chain_id',
    },
    { what: 'a pruned trace', where: "kind = 'trace' and pruned_through >= 0", key: 'chain_id' },
    { what: 'a trace without events', where: "kind = 'trace' and next_sequence = 0", key: 'chain_id' },
    {
      what: 'the chain that retention is recorded on',
      where: "chain_id = session_id and kind = 'ledger'",
      key: 'chain_id',
    },
  ],
  tree_nodes: [{ what: 'a node', where: 'level = 8 and idx = 0', key: "level || '/' || idx" }],
  checkpoints: [
    { what: 'the first checkpoint', where: 'size = (select min(size) from checkpoints)', key: 'size' },
    {
      what: 'a checkpoint in the middle',
      where: 'size = (select max(size) from checkpoints where size < (select max(size) from checkpoints))',
      key: 'size',
    },
    { what: 'the newest checkpoint', where: 'size = (select max(size) from checkpoints)', key: 'size' },
  ],
  journal_head: [{ what: 'the head', where: '1 = 1', key: 'id' }],
  journal_projects: [{ what: "a project's counter", where: "project_id = 'p2'", key: 'project_id' }],
};

/** By table, column and row. Each with the reason why nobody is deceived by it. */
const HARMLESS: Readonly<Record<string, string>> = {
  'events.seq': 'the order of insertion counts only until an event has its numbers',
};

/** Faults that are told at another table, because it is the one that still says what was true. */
const TOLD_AT: Readonly<Record<string, string>> = {
  // Without its payload, an event is covered by what the chain's record says of it.
  'an event without its payload: event_id': 'chains',
  'an event without its payload: event_type': 'chains',
  'an event without its payload: span_id': 'chains',
  'an event without its payload: parent_span_id': 'chains',
  'an event without its payload: event_hash': 'events',
  'an event without its payload: leaf': 'events',
  // Only the event is named that says something else, or has another hash.
  'several events in one row: payload': 'events',
  'several events in one row: run_hashes': 'events',
  // The chain of no session has no other beside it; its own events contradict it.
  'the chain that retention is recorded on: project_id': 'events',
  'the chain that retention is recorded on: trace_id': 'events',
  'the head: store_id': 'checkpoints',
  'the head: signed_size': 'checkpoints',
  'the head: id': 'journal_head',
};

const TAKEN = 'another row has this value';

/** Only an index refuses, where another row has the value already. */
function takenValue(error: unknown): string {
  if (/unique/i.test(String(error))) return TAKEN;
  throw error;
}

describeOnEachEngine('a journal that was changed behind its back', (open) => {
  let image: StoreImage;
  let whole: StoreCopy;
  let keys: string;
  let trustedKeys: readonly string[];
  const columns = new Map<string, Column[]>();

  beforeAll(async () => {
    keys = await mkdtemp(join(tmpdir(), 'baton-tamper-'));
    image = await imageOf(open, async (url) => {
      const db = await openDatabase(url);
      try {
        await db.migrate(journalMigrations);
        const rig = testJournal(db);
        const { tree, signer } = await testTree(rig, keys);
        trustedKeys = signer.trustedKeys;
        const pruned = await rig.newSession('p1');
        await rig.appendOne(pruned, { agent_id: 'a', goal: 'g' }, 'session.started', 'trace');
        await rig.appendOne(pruned, { n: 0 });
        await rig.appendOne(pruned, { reason: 'completed', duration_ms: 1 }, 'session.ended', 'trace');
        await tree.checkpoint();
        rig.clock.advance({ seconds: 40 * DAY });
        const busy = await rig.newSession('p1');
        const other = await rig.newSession('p2');
        await db.write(async (uow) => {
          for (let n = 0; n < 600; n += 1) await rig.append(uow, n % 3 ? busy : other, { n });
        });
        await tree.checkpoint();
        await pruneEndedSessions(rig, rig.clock.now() - 30 * DAY * 1_000_000);
        const ended = await rig.newSession('p2');
        await rig.appendOne(ended, { agent_id: 'a', goal: 'g' }, 'session.started', 'trace');
        await rig.appendOne(ended, { reason: 'completed', duration_ms: 1 }, 'session.ended', 'trace');
        await tree.checkpoint();
        const payloads = [{ of: 'three' }, { of: 'three' }, { of: 'three' }];
        const chain = { sessionId: busy, kind: 'trace' as const };
        await db.write((uow) => rig.journal.appendAll(uow, { chain, type: 'policy.evaluated', payloads }));
        await rig.appendOne(busy, { last: true });
        await tree.checkpoint();
      } finally {
        await db.close();
      }
    });
    whole = await image.copy();
    for (const table of Object.keys(TABLES)) {
      columns.set(table, await columnsOf(open.engine, whole, table));
    }
  });
  afterAll(async () => {
    await kept?.close();
    await image?.remove();
    await rm(keys, { recursive: true, force: true });
  });

  /** PostgreSQL's copy is the same database each time. */
  let kept: Database | undefined;

  async function verified(url: string): Promise<JournalReport> {
    const db = kept ?? (await openDatabase(url));
    if (open.engine === 'postgres') kept = db;
    try {
      return await verifyStore({ declarations: {}, db, databaseUrl: url, trustedKeys });
    } finally {
      if (!kept) await db.close();
    }
  }

  async function run({ name, sql, expected }: TamperCase): Promise<string | undefined> {
    const copy = await image.copy();
    try {
      await copy.change(sql(open.engine));
      const { faults } = await verified(copy.url);
      if (isNoticed(expected, faults)) return undefined;
      return `${name}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(faults.slice(0, 3))}`;
    } finally {
      await copy.remove();
    }
  }

  async function keyOf(table: string, { where, key }: Victim): Promise<string> {
    const [row] = await whole.rows(`select ${key} as key from ${table} where ${where}`);
    if (!row) throw new Error(`no row of ${table} where ${where}`);
    return String(row.key);
  }

  it('holds before anybody touches it', async () => {
    const report = await verified(whole.url);
    expect(report).toMatchObject({ valid: true, faults: [], pruned: 3, checkpoints: 4 });
  });

  for (const [table, victims] of Object.entries(TABLES)) {
    for (const victim of victims) {
      it(`shows every edit of ${victim.what} (${table}), column by column`, {
        timeout: 120_000,
      }, async () => {
        const key = await keyOf(table, victim);
        const missed: string[] = [];
        for (const column of columns.get(table) ?? []) {
          const harmless = HARMLESS[`${table}.${column.name}`];
          const told = TOLD_AT[`${victim.what}: ${column.name}`];
          const isKey = victim.key.split(/\W+/).includes(column.name);
          const expected: Expected = harmless
            ? { harmless }
            : { table: told ?? table, ...(isKey || told ? {} : { key }) };
          let edits = 0;
          for (const value of otherValues(column)) {
            const sql = () => [`update ${table} set ${column.name} = ${value} where ${victim.where}`];
            const tamper = { name: `${victim.what}: ${column.name} = ${value}`, sql, expected };
            const fault = await run(tamper).catch(takenValue);
            if (fault !== TAKEN) edits += 1;
            if (fault !== undefined && fault !== TAKEN) missed.push(fault);
          }
          if (edits === 0) missed.push(`${victim.what}: no value of ${column.name} could be tried`);
        }
        expect(missed).toEqual([]);
      });

      it(`shows that ${victim.what} is gone (${table})`, async () => {
        const sql = () => [`delete from ${table} where ${victim.where}`];
        const missed = await run({ name: victim.what, sql, expected: {} });
        expect(missed).toBeUndefined();
      });
    }
  }

  const CASES: readonly TamperCase[] = [
    {
      name: 'somebody drops payloads himself and raises what retention says it dropped',
      sql: () => [
        'update events set payload = null where chain_id = (select chain_id from events where leaf = 300)',
        'update chains set pruned_through = next_sequence - 1 where chain_id = (select chain_id from events where leaf = 300)',
      ],
      expected: { kind: 'pruning_unrecorded', table: 'chains' },
    },
    {
      name: 'somebody points at the record of another pruning',
      sql: () => [
        'update events set payload = null where chain_id = (select chain_id from events where leaf = 300)',
        `update chains set pruned_through = next_sequence - 1,
           pruned_by = (select max(pruned_by) from chains)
         where chain_id = (select chain_id from events where leaf = 300)`,
      ],
      expected: { kind: 'pruning_unrecorded', table: 'chains' },
    },
    {
      name: 'somebody turns an open session into one that ended, so that retention will take it',
      sql: () => ["update chains set ended = 1 where kind = 'trace' and next_sequence = 0"],
      expected: { kind: 'chain_changed', table: 'chains' },
    },
    {
      name: 'somebody moves an event to another time without touching its timestamp',
      sql: () => ['update events set time_us = time_us - 1000000 where leaf = 300'],
      expected: { kind: 'time_mismatch', table: 'events' },
    },
    {
      name: 'somebody deletes a checkpoint between two others',
      sql: () => [
        'delete from checkpoints where size = (select max(size) from checkpoints where size < (select max(size) from checkpoints))',
      ],
      expected: { kind: 'checkpoint_missing', table: 'checkpoints' },
    },
    {
      name: 'somebody deletes the newest checkpoint and nothing else',
      sql: () => ['delete from checkpoints where size = (select max(size) from checkpoints)'],
      expected: { kind: 'checkpoint_missing', table: 'checkpoints' },
    },
    {
      name: 'somebody deletes all checkpoints',
      sql: () => ['delete from checkpoints'],
      expected: { kind: 'checkpoint_missing', table: 'checkpoints' },
    },
    {
      name: 'somebody dates a checkpoint into the future, so that none follows it',
      sql: () => ["update checkpoints set created_at = '2099-01-01T00:00:00.000000Z'"],
      expected: { kind: 'checkpoint_mismatch', table: 'checkpoints' },
    },
    {
      name: 'somebody gives a checkpoint row another size',
      sql: () => ['update checkpoints set size = 9999 where size = (select max(size) from checkpoints)'],
      expected: { kind: 'checkpoint_mismatch', table: 'checkpoints', key: '9999' },
    },
    {
      name: 'somebody plants a node of the tree beyond its end',
      sql: () => [`insert into tree_nodes (level, idx, hash) values (16, 0, '${'ab'.repeat(32)}')`],
      expected: { kind: 'tree_node_surplus', table: 'tree_nodes', key: '16/0' },
    },
    {
      name: 'somebody plants a chain that no session has',
      sql: () => [
        `insert into chains (chain_id, session_id, project_id, kind, trace_id, next_sequence, head_hash, last_time_us,
           ended, pruned_through)
         values ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002', 'p1', 'ledger',
           '00000000-0000-4000-8000-000000000003', 0, '${'0'.repeat(64)}', 0, 0, -1)`,
      ],
      expected: { kind: 'chain_changed', table: 'chains', key: '00000000-0000-4000-8000-000000000001' },
    },
    {
      name: 'somebody plants a counter of a project that has no events',
      sql: () => ["insert into journal_projects (project_id, next_seq, oldest_seq) values ('ghost', 1, 1)"],
      expected: { kind: 'counter_mismatch', table: 'journal_projects', key: 'ghost' },
    },
    {
      name: 'somebody moves the beginning of all feeds, so that events are passed over',
      sql: () => ['update journal_head set oldest_leaf = 200'],
      expected: { kind: 'counter_mismatch', table: 'journal_head' },
    },
    {
      name: 'a node that is not stored yet is no fault: it is computed when it is needed',
      sql: () => ['delete from tree_nodes where idx = (select max(idx) from tree_nodes)'],
      expected: { harmless: 'the next checkpoint stores it again' },
    },
  ];
  it.each(CASES)('$name', async (tamper) => {
    expect(await run(tamper)).toBeUndefined();
  });
});
