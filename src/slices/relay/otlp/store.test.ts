import { expect, it } from 'vitest';
import type { Database } from '../../../spine/storage/database.ts';
import { describeOnEachEngine, type OpenForTest } from '../../../spine/storage/testing.ts';
import { relayMigrations } from '../migrations.ts';
import { ensureOrigin, insertSpans } from '../spans/store.ts';
import { newSpan, testOrigin, testSpan } from '../spans/testing.ts';
import {
  addToCounter,
  boundSpool,
  claimSpooled,
  countSpooled,
  deleteSpooled,
  readCounters,
  releaseSpooled,
  spoolSpans,
} from './store.ts';

async function spoolOf(open: OpenForTest, count: number): Promise<Database> {
  const db = await open(relayMigrations);
  await db.write(async (uow) => {
    await ensureOrigin(uow, testOrigin);
    const spans = Array.from({ length: count }, (_, at) => newSpan(testSpan(at + 1), 1));
    await spoolSpans(uow, await insertSpans(uow, spans));
  });
  return db;
}

const claim = (db: Database, now: number, freeBefore: number, limit = 10) =>
  db.write((uow) => claimSpooled(uow, { now, freeBefore, limit }));

describeOnEachEngine('the spool', (open) => {
  it('hands out the oldest first, with where they come from', async () => {
    const db = await spoolOf(open, 3);
    const taken = await claim(db, 100, 0, 2);
    expect(taken.map(({ span }) => span)).toEqual([testSpan(1), testSpan(2)]);
    expect(taken[0]).toMatchObject({
      originId: testOrigin.id,
      resource: testOrigin.resource,
      scope: testOrigin.scope,
    });
  });

  it('hands nothing out twice, until its taker has let go of it or taken too long', async () => {
    const db = await spoolOf(open, 3);
    const first = await claim(db, 100, 0, 2);
    expect((await claim(db, 110, 0)).map(({ span }) => span.name)).toEqual(['span 3']);
    expect(await claim(db, 120, 0)).toEqual([]);
    await db.write((uow) =>
      releaseSpooled(
        uow,
        first.map(({ seq }) => seq),
      ),
    );
    expect((await claim(db, 130, 0)).map(({ span }) => span.name)).toEqual(['span 1', 'span 2']);
    expect((await claim(db, 200, 111)).map(({ span }) => span.name)).toEqual(['span 3']);
  });

  it('gives two takers at the same time different spans', async () => {
    const db = await spoolOf(open, 40);
    const beside = await open(relayMigrations, { beside: db });
    const taken = (await Promise.all([db, beside].map((one) => claim(one, 100, 0, 25)))).flat();
    expect(new Set(taken.map(({ seq }) => seq)).size).toBe(40);
    expect(taken).toHaveLength(40);
  });

  it('forgets what was sent, more than one statement holds', async () => {
    const db = await spoolOf(open, 600);
    const taken = await claim(db, 100, 0, 600);
    await db.write((uow) =>
      deleteSpooled(
        uow,
        taken.slice(1).map(({ seq }) => seq),
      ),
    );
    expect(await db.read(countSpooled)).toBe(1);
  });

  it('is bounded by dropping the oldest, and says how many', async () => {
    const db = await spoolOf(open, 5);
    expect(await db.write((uow) => boundSpool(uow, 5))).toBe(0);
    expect(await db.write((uow) => boundSpool(uow, 2))).toBe(3);
    expect((await claim(db, 100, 0)).map(({ span }) => span.name)).toEqual(['span 4', 'span 5']);
    expect(await db.read(readCounters)).toEqual({ spool_dropped: 3 });
  });

  it('adds its counters up', async () => {
    const db = await open(relayMigrations);
    await db.write((uow) => addToCounter(uow, 'exported', 2));
    await db.write((uow) => addToCounter(uow, 'exported', 5));
    expect(await db.read(readCounters)).toEqual({ exported: 7 });
  });
});
