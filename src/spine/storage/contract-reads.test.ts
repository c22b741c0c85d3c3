import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { describeOnEachEngineEvenBare, insertNote, NOTES, noteIds } from './testing.ts';

describeOnEachEngineEvenBare('a read', (open) => {
  it('sees one state from its first statement to its last', async () => {
    const db = await open(NOTES);
    await db.write((uow) => insertNote(uow, 'a'));
    await db.read(async (reader) => {
      expect(await reader.all('select id from notes')).toEqual([{ id: 'a' }]);
      await db.write((uow) => insertNote(uow, 'b'));
      expect(await reader.all('select id from notes')).toEqual([{ id: 'a' }]);
    });
    expect(await noteIds(db)).toEqual(['a', 'b']);
  });

  it('cannot change anything', async () => {
    const db = await open(NOTES);
    const read = db.read((reader) => reader.all("insert into notes (id, n) values ('x', 1) returning id"));
    await expect(read).rejects.toThrow();
    expect(await noteIds(db)).toEqual([]);
  });

  it('gives the error of its work and is followed by further reads', async () => {
    const db = await open(NOTES);
    for (let time = 0; time < 20; time++) {
      const read = db.read(async () => {
        throw new Error('not found');
      });
      await expect(read).rejects.toThrow('not found');
    }
    await expect(db.read((reader) => reader.all('select nonsense'))).rejects.toThrow('nonsense');
    expect(await noteIds(db)).toEqual([]);
  });

  it('is over with a statement that failed, even when its work catches the error', async () => {
    const db = await open(NOTES);
    const read = db.read(async (reader) => {
      await reader.all('select nonsense').catch(() => undefined);
      return reader.all('select id from notes');
    });
    await expect(read).rejects.toThrow('nonsense');
  });

  it('may run many times at once', async () => {
    const db = await open(NOTES);
    await db.write((uow) => insertNote(uow, 'a'));
    const reads = Array.from({ length: 100 }, () =>
      db.read(async (reader) => {
        await sleep(1);
        return reader.get('select id from notes');
      }),
    );
    expect(new Set((await Promise.all(reads)).map((row) => JSON.stringify(row)))).toEqual(
      new Set(['{"id":"a"}']),
    );
  });
});
