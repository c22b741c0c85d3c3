import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeOnEachEngineEvenBare, describeOnPostgres } from '../../storage/testing.ts';
import { journalMigrations } from '../migrations.ts';
import { type TestJournal, testJournal, testTree } from '../testing.ts';
import { createSequencer, shareRuns } from './sequencer.ts';

const runs = process.env.BATON_PROVE === '1' ? 100 : 8;

async function numbers({ db, sequencer }: TestJournal) {
  await sequencer.run();
  return db.read((reader) =>
    reader.all<{ leaf: number; project_id: string; project_seq: number; chain_id: string; sequence: number }>(
      'select leaf, project_id, project_seq, chain_id, sequence from events order by leaf',
    ),
  );
}

function expectGapless(rows: Awaited<ReturnType<typeof numbers>>): void {
  expect(rows.map((row) => row.leaf)).toEqual(rows.map((_, at) => at));
  const next = new Map<string, number>();
  const sequences = new Map<string, number>();
  for (const row of rows) {
    expect(row.project_seq).toBe((next.get(row.project_id) ?? 0) + 1);
    next.set(row.project_id, row.project_seq);
    expect(row.sequence).toBe((sequences.get(row.chain_id) ?? -1) + 1);
    sequences.set(row.chain_id, row.sequence);
  }
}

describeOnEachEngineEvenBare('the sequencer', (open) => {
  it('numbers all events without a gap, whatever units run side by side and whichever of them fail', async () => {
    const unit = fc.record({
      session: fc.nat({ max: 4 }),
      other: fc.option(fc.nat({ max: 4 })),
      events: fc.nat({ max: 3 }),
      fails: fc.boolean(),
      looks: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 1, maxLength: 25 }), async (units) => {
        const rig = testJournal(await open(journalMigrations));
        const sessions = await Promise.all([0, 1, 2, 3, 4].map((n) => rig.newSession(`p${n % 3}`)));
        let kept = 0;
        await Promise.all(
          units.map(async ({ session, other, events, fails, looks }) => {
            const write = rig.db.write(async (uow) => {
              for (let n = 0; n < events; n += 1) await rig.append(uow, sessions[session] as string, { n });
              if (other !== null) await rig.append(uow, sessions[other] as string);
              if (fails) throw new Error('rolled back');
            });
            if (fails) await expect(write).rejects.toThrow('rolled back');
            else await write;
            if (!fails) kept += events + (other === null ? 0 : 1);
            if (looks) await rig.sequencer.run();
          }),
        );
        const rows = await numbers(rig);
        expect(rows.length).toBe(kept);
        expectGapless(rows);
        const { verify } = await testTree(rig);
        expect(await verify()).toMatchObject({ valid: true, events: kept });
      }),
      { numRuns: runs },
    );
  });

  it('has numbered whatever was acknowledged before it was asked', async () => {
    const rig = testJournal(await open(journalMigrations));
    const session = await rig.newSession();
    await Promise.all(
      Array.from({ length: 30 }, async () => {
        const { eventId } = await rig.appendOne(session);
        await rig.sequencer.run();
        const row = await rig.db.read((reader) =>
          reader.get<{ leaf: number | null }>('select leaf from events where event_id = ?', [eventId]),
        );
        expect(row?.leaf).not.toBeNull();
      }),
    );
    expectGapless(await numbers(rig));
  });

  it('stays gapless when several handles on the store write and number at once', async () => {
    const first = testJournal(await open(journalMigrations), 1);
    const second = testJournal(await open(journalMigrations, { beside: first.db }), 2);
    const shared = await first.newSession();
    const own = await second.newSession('p2');
    await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const rig = n % 2 === 0 ? first : second;
        await rig.appendOne(n % 3 === 0 ? own : shared, { n });
        await rig.sequencer.run();
      }),
    );
    const rows = await numbers(first);
    expect(rows.length).toBe(30);
    expectGapless(rows);
  });
});

describeOnPostgres('a commit', (open) => {
  const leaves = ({ db }: TestJournal) =>
    db.read((reader) => reader.cells('select leaf, project_seq from events order by seq'));

  it('numbers its own events where it is alone', async () => {
    const rig = testJournal(await open(journalMigrations));
    const [one, other] = [await rig.newSession('p1'), await rig.newSession('p2')];
    await rig.appendOne(one);
    await rig.db.write(async (uow) => {
      await rig.append(uow, other);
      await rig.append(uow, one);
    });
    expect(await leaves(rig)).toEqual([
      [0, 1],
      [1, 1],
      [2, 2],
    ]);
  });

  it('leaves them to the sequencer while others number, and as long as events wait for their numbers', async () => {
    const rig = testJournal(await open(journalMigrations));
    const beside = testJournal(await open(journalMigrations, { beside: rig.db, strictUnits: false }), 2);
    const session = await rig.newSession();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let holds = () => {};
    const holding = new Promise<void>((resolve) => {
      holds = resolve;
    });
    const numbering = beside.db.write(async (uow) => {
      await uow.get('select next_leaf from journal_head where id = 1 for update');
      holds();
      await held;
    });
    await holding;
    await rig.appendOne(session);
    release();
    await numbering;
    await rig.appendOne(session);
    expect(await leaves(rig)).toEqual([
      [null, null],
      [null, null],
    ]);
    await rig.sequencer.run();
    await rig.appendOne(session);
    expect(await leaves(rig)).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
  });
});

describeOnPostgres('the sequencer’s lease', (open) => {
  it('numbers more than one batch in one run', async () => {
    const rig = testJournal(await open(journalMigrations));
    const session = await rig.newSession();
    await rig.db.write(async (uow) => {
      for (let n = 0; n < 1100; n += 1) await rig.append(uow, session, { n });
    });
    await createSequencer(rig.db).run();
    expectGapless(await numbers(rig));
  });

  it('gives an event that commits late a later number, never one that readers have passed', async () => {
    const rig = testJournal(await open(journalMigrations));
    const [early, late] = [await rig.newSession(), await rig.newSession()];
    let release = () => {};
    let inserted = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const waiting = new Promise<void>((resolve) => {
      inserted = resolve;
    });
    const slow = testJournal(await open(journalMigrations, { beside: rig.db, strictUnits: false }), 2);
    const lateUnit = slow.db.write(async (uow) => {
      await slow.append(uow, late, { late: true });
      uow.beforeCommit(async () => {
        inserted();
        await held;
      });
    });
    await waiting;
    await rig.appendOne(early, { late: false });
    const before = await rig.feed.page({});
    expect(before.events.map(({ event }) => event.payload)).toEqual([{ late: false }]);
    release();
    await lateUnit;
    const after = await rig.feed.page({ after: before.next });
    expect(after.events.map(({ leaf, event }) => [leaf, event.payload])).toEqual([[1, { late: true }]]);
  });
});

describe('runs that are shared', () => {
  it('merges callers that wait, and never lets one join a run that began before it asked', async () => {
    const begun: (() => void)[] = [];
    const run = shareRuns(() => new Promise<void>((resolve) => begun.push(resolve)));
    const settled: number[] = [];
    const calls = [0, 1, 2].map((n) => run().then(() => settled.push(n)));
    expect(begun.length).toBe(1);
    begun[0]?.();
    await calls[0];
    expect(settled).toEqual([0]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun.length).toBe(2);
    begun[1]?.();
    await Promise.all(calls);
    expect(settled).toEqual([0, 1, 2]);
    expect(begun.length).toBe(2);
  });

  it('goes on after a run that failed', async () => {
    let fail = true;
    const run = shareRuns(async () => {
      await Promise.resolve();
      if (fail) throw new Error('no store');
    });
    const [first, second] = [run(), run()];
    await expect(first).rejects.toThrow('no store');
    await expect(second).rejects.toThrow('no store');
    fail = false;
    await expect(run()).resolves.toBeUndefined();
  });
});
