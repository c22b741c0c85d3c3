import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Database, Gathering, UnitOfWork } from './database.ts';
import type { Migration } from './migration.ts';
import { describeOnEachEngineEvenBare } from './testing.ts';
import type { WatchedTable } from './watch.ts';

/** Units that wait at the same time share a transaction, and on PostgreSQL are begun before it is their turn. */
const MIGRATIONS: readonly Migration[] = [
  {
    name: 'test/0001-claims',
    statements: (ddl) => [
      `create table claims (seq ${ddl.serial}, id ${ddl.text} not null unique, claimer ${ddl.text} not null,
         rank ${ddl.int} not null default 7) ${ddl.end}`,
      `create table counters (name ${ddl.text} primary key, value ${ddl.int} not null) ${ddl.end}`,
      `create table records (id ${ddl.text} not null, cells ${ddl.text} not null) ${ddl.end}`,
      `create table steps (n ${ddl.int} primary key) ${ddl.end}`,
    ],
  },
];

const claims: WatchedTable = {
  name: 'claims',
  columns: ['claimer', 'id', 'rank', 'seq'],
  key: ['id'],
  kinds: new Map([
    ['id', 'text'],
    ['claimer', 'text'],
  ]),
  silent: new Set(),
};

/** Every changed row, as it was handed over. */
function recordAll(db: Database): void {
  db.watch({
    tables: new Map([['claims', claims]]),
    async record(uow, changes) {
      for (const { cells } of changes)
        await uow.send('insert into records (id, cells) values (?, ?)', [
          String(cells[1]),
          JSON.stringify(cells),
        ]);
    },
  });
}

const steps: Gathering<number> = {
  async apply(uow, items) {
    for (const n of items) await uow.send('insert into steps (n) values (?)', [n]);
  },
};

type Deed =
  | { readonly does: 'claim' | 'claim unguarded' | 'claim late'; readonly id: string }
  | { readonly does: 'refuse' | 'refuse after claiming' | 'raise' | 'step' | 'read' };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'claim' as const,
        'claim' as const,
        'claim late' as const,
        'claim unguarded' as const,
      ),
      id: fc.constantFrom(...'abcdefgh').map((letter) => `id-${letter}`),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom('refuse' as const, 'raise' as const, 'step' as const, 'read' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('refuse after claiming' as const) }) },
);

const REFUSED = new Error('refused');
const key = (id: string) => `claim:${id}`;

async function insertClaim(uow: UnitOfWork, id: string, claimer: string): Promise<void> {
  await uow.send('insert into claims (id, claimer) values (?, ?)', [id, claimer]);
}

/** What the unit answers: that the claim is its own, whose it is, or the number that it has counted to. */
async function perform(uow: UnitOfWork, what: Deed, name: string): Promise<unknown> {
  const ownerOf = 'select claimer from claims where id = ?';
  switch (what.does) {
    case 'claim': {
      const taken = await uow.lockedGet<{ claimer: string }>([key(what.id)], ownerOf, [what.id]);
      if (taken) return taken.claimer;
      await insertClaim(uow, what.id, name);
      return name;
    }
    case 'claim late': {
      // Locks only after it has read something else, so that nobody knows of it before.
      await uow.get('select count(*) as n from claims');
      await uow.lock(key(what.id));
      const taken = await uow.get<{ claimer: string }>(ownerOf, [what.id]);
      if (taken) return taken.claimer;
      await insertClaim(uow, what.id, name);
      return name;
    }
    case 'claim unguarded': {
      const taken = await uow.get<{ claimer: string }>(ownerOf, [what.id]);
      if (taken) return taken.claimer;
      await insertClaim(uow, what.id, name);
      return name;
    }
    case 'raise': {
      await uow.lock('counter');
      const row = await uow.get<{ value: number }>("select value from counters where name = 'c'");
      const value = (row?.value ?? 0) + 1;
      await uow.run("update counters set value = ? where name = 'c'", [value]);
      return value;
    }
    case 'step': {
      const left = uow.lastLeft(steps, () => true);
      await uow.lock('steps');
      const stored = left ?? (await uow.get<{ n: number | null }>('select max(n) as n from steps'))?.n ?? 0;
      uow.gather(steps, stored + 1);
      return stored + 1;
    }
    case 'read':
      return (await uow.get<{ n: number }>('select count(*) as n from claims'))?.n;
    case 'refuse':
      await uow.lockedGet([key('id-a')], ownerOf, ['id-a']);
      throw REFUSED;
    case 'refuse after claiming':
      await insertClaim(uow, `lost-${name}`, name);
      throw REFUSED;
  }
}

describeOnEachEngineEvenBare('units that wait together', (open) => {
  it('end as if one had followed the other, whatever each of them does', async () => {
    const db = await open(MIGRATIONS);
    recordAll(db);
    await db.write((uow) => uow.run("insert into counters (name, value) values ('c', 0)"));
    const runs = process.env.BATON_PROVE === '1' ? 1_000 : 25;
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 2, maxLength: 40 }), async (deeds) => {
        await db.write(async (uow) => {
          for (const table of ['claims', 'records', 'steps']) await uow.run(`delete from ${table}`);
          await uow.run("update counters set value = 0 where name = 'c'");
        });
        await db.write((uow) => uow.run('delete from records'));
        const names = deeds.map((_, nth) => `unit-${nth}`);
        const outcomes = await Promise.allSettled(
          deeds.map((what, nth) => db.write((uow) => perform(uow, what, names[nth] as string))),
        );
        await check(db, deeds, outcomes, names);
      }),
      { numRuns: runs },
    );
  });

  it('that begin with the same key see what those before them did', async () => {
    const db = await open(MIGRATIONS);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, nth) =>
        db.write((uow) => perform(uow, { does: 'claim', id: 'id-a' }, `unit-${nth}`)),
      ),
    );
    expect(new Set(answers).size).toBe(1);
  });

  it('are begun anew, with nothing of what they did, when they looked around before their turn', async () => {
    const db = await open(MIGRATIONS);
    const counted = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        db.write((uow) => perform(uow, { does: 'step' }, `unit-${nth}`)),
      ),
    );
    expect([...counted].sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 20 }, (_, nth) => nth + 1),
    );
  });

  it('are handed over row by row, however many go in together', async () => {
    const db = await open(MIGRATIONS);
    recordAll(db);
    await Promise.all(
      Array.from({ length: 50 }, (_, nth) =>
        db.write((uow) => perform(uow, { does: 'claim', id: `id-${nth}` }, `unit-${nth}`)),
      ),
    );
    expect(await recorded(db)).toEqual(await stored(db));
  });
});

async function stored(db: Database): Promise<string[]> {
  const rows = await db.read((reader) =>
    reader.cells('select claimer, id, rank, seq from claims order by id'),
  );
  return rows.map((cells) => JSON.stringify(cells));
}

async function recorded(db: Database): Promise<string[]> {
  const rows = await db.read((reader) =>
    reader.all<{ cells: string }>('select cells from records order by id'),
  );
  return rows.map(({ cells }) => cells);
}

async function check(
  db: Database,
  deeds: readonly Deed[],
  outcomes: readonly PromiseSettledResult<unknown>[],
  names: readonly string[],
): Promise<void> {
  const rows = await db.read((reader) =>
    reader.all<{ id: string; claimer: string }>('select id, claimer from claims order by id'),
  );
  const owners = new Map(rows.map(({ id, claimer }) => [id, claimer]));
  const made = new Set<string>();
  const raised: unknown[] = [];
  const stepped: unknown[] = [];
  for (const [nth, what] of deeds.entries()) {
    const outcome = outcomes[nth] as PromiseSettledResult<unknown>;
    if (what.does === 'refuse' || what.does === 'refuse after claiming') {
      expect(outcome).toMatchObject({ status: 'rejected', reason: REFUSED });
      continue;
    }
    expect(outcome).toMatchObject({ status: 'fulfilled' });
    const { value } = outcome as PromiseFulfilledResult<unknown>;
    if (what.does === 'raise') raised.push(value);
    if (what.does === 'step') stepped.push(value);
    if (!('id' in what)) continue;
    // Everybody is told the same owner, and that owner is in the store.
    expect(value).toBe(owners.get(what.id));
    if (value === names[nth]) made.add(what.id);
  }
  // Nothing is there that nobody was told of, nothing of what was refused, and every row was handed over as it is.
  expect([...owners.keys()].sort()).toEqual([...made].sort());
  expect(await recorded(db)).toEqual(await stored(db));
  const upTo = (numbers: readonly unknown[]) => numbers.map((_, nth) => nth + 1);
  const ascending = (numbers: readonly unknown[]) => [...numbers].sort((a, b) => Number(a) - Number(b));
  expect(ascending(raised)).toEqual(upTo(raised));
  expect(ascending(stepped)).toEqual(upTo(stepped));
}
