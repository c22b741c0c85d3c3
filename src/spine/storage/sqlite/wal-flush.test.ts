import { expect, it } from 'vitest';
import type { UnitOfWork } from '../database.ts';
import type { Migration } from '../migration.ts';
import type { FaultPoint } from '../options.ts';
import { describeOnSqlite } from '../testing.ts';

const MIGRATIONS: readonly Migration[] = [
  {
    name: 'test/0001-notes',
    statements: (ddl) => [`create table notes (body ${ddl.text}) ${ddl.end}`],
  },
];

const add = (uow: UnitOfWork) => uow.run("insert into notes (body) values ('x')");

describeOnSqlite('a commit that is on its way to the disk', (open) => {
  it('is acknowledged when it is there, and shown to nobody before', async () => {
    const order: string[] = [];
    let look = () => {};
    let reading: Promise<unknown> | undefined;
    const db = await open(MIGRATIONS, {
      faults: (point) => {
        if (point === 'after.commit' || point === 'after.flush') order.push(point);
        if (point === 'after.commit') process.nextTick(look);
      },
    });
    order.length = 0;
    look = () => {
      reading ??= db.read((reader) => {
        order.push('shown');
        return reader.all('select body from notes');
      });
    };
    await db.write(add).then(() => order.push('acknowledged'));
    expect(await reading).toEqual([{ body: 'x' }]);
    expect(order[0]).toBe('after.commit');
    expect(order[1]).toBe('after.flush');
    expect(order.slice(2).sort()).toEqual(['acknowledged', 'shown']);
  });

  it('may be there or not when the disk fails: its callers are told so, and the next ones start afresh', async () => {
    let failing = false;
    const db = await open(MIGRATIONS, {
      faults: (point: FaultPoint) => {
        if (failing && point === 'after.flush') throw new Error('the disk is gone');
      },
    });
    failing = true;
    await expect(db.write(add)).rejects.toMatchObject({
      code: 'storage_unavailable',
      details: { outcome: 'unknown' },
    });
    failing = false;
    await db.write(add);
    expect(await db.health()).toMatchObject({ status: 'pass' });
    expect((await db.read((reader) => reader.all('select body from notes'))).length).toBeGreaterThan(0);
  });

  it('is not waited for by units that wrote nothing', async () => {
    const points: FaultPoint[] = [];
    const db = await open(MIGRATIONS, { faults: (point) => points.push(point) });
    points.length = 0;
    await db.write((uow) => uow.all('select body from notes'));
    expect(points).not.toContain('after.flush');
  });

  it('that nobody waits for is acknowledged before, and all the same shown to nobody before it is there', async () => {
    const points: FaultPoint[] = [];
    const db = await open(MIGRATIONS, { faults: (point) => points.push(point) });
    points.length = 0;
    await db.write(add, { flush: 'soon' });
    expect(points).toContain('after.commit');
    expect(points).not.toContain('after.flush');
    expect(await db.read((reader) => reader.all('select body from notes'))).toEqual([{ body: 'x' }]);
  });

  it('is flushed for all of its units where one of them waits', async () => {
    const points: FaultPoint[] = [];
    const db = await open(MIGRATIONS, { faults: (point) => points.push(point) });
    points.length = 0;
    await Promise.all([db.write(add, { flush: 'soon' }), db.write(add)]);
    expect(points.filter((point) => point === 'after.flush')).toHaveLength(1);
  });
});
