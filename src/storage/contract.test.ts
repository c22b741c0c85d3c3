import { expect, it } from 'vitest';
import type { Migration } from './migration.ts';
import { describeOnEachEngine } from './testing.ts';

const MIGRATIONS: readonly Migration[] = [
  {
    name: 'test/0001-notes',
    statements: (d) => [
      `create table notes (id ${d.text} primary key, n ${d.int} not null, data ${d.bytes}, r ${d.real}) ${d.end}`,
    ],
  },
];

describeOnEachEngine('a database', (open) => {
  it('keeps what a unit wrote', async () => {
    const db = await open(MIGRATIONS);
    await db.write((uow) =>
      uow.run('insert into notes (id, n, data) values (?, ?, ?)', ['a', 2 ** 40, new Uint8Array([0, 255])]),
    );
    expect(await db.read((r) => r.all('select id, n, data from notes'))).toStrictEqual([
      { id: 'a', n: 2 ** 40, data: new Uint8Array([0, 255]) },
    ]);
  });
});
