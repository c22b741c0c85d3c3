import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { describeOnEachEngineEvenBare, insertNote, NOTES, noteIds } from './testing.ts';

describeOnEachEngineEvenBare('a store whose transaction is lost', (open) => {
  for (const point of ['begin', 'unit.start', 'unit.released', 'before.commit'] as const) {
    it(`fails the units at "${point}", keeps nothing of them, and takes the next`, async () => {
      let failing = false;
      const db = await open(NOTES, {
        faults: (at) => {
          if (failing && at === point) throw new Error('the disk is gone');
        },
      });
      failing = true;
      const lost = await Promise.allSettled(
        ['a', 'b', 'c'].map((id) => db.write((uow) => insertNote(uow, id))),
      );
      failing = false;
      for (const outcome of lost) {
        expect(outcome).toMatchObject({
          status: 'rejected',
          reason: { code: 'storage_unavailable', status: 503, cause: { message: 'the disk is gone' } },
        });
      }
      expect(await noteIds(db)).toEqual([]);
      await db.write((uow) => insertNote(uow, 'd'));
      expect(await noteIds(db)).toEqual(['d']);
      expect(await db.health()).toMatchObject({ status: 'pass' });
    });
  }
});

describeOnEachEngineEvenBare('health', (open) => {
  it('names the engine and its version', async () => {
    const db = await open(NOTES);
    expect(await db.health()).toEqual({
      status: 'pass',
      engine: open.engine,
      version: expect.stringMatching(/^\d+\./),
    });
  });

  it('fails once the store is closed', async () => {
    const db = await open(NOTES);
    await db.close();
    expect(await db.health()).toMatchObject({ status: 'fail' });
  });
});

describeOnEachEngineEvenBare('closing', (open) => {
  it('waits for what was asked before it and refuses what comes after', async () => {
    const db = await open(NOTES);
    const writes = Array.from({ length: 30 }, (_, index) => db.write((uow) => insertNote(uow, `n${index}`)));
    const read = db.read(async (reader) => {
      await sleep(5);
      return reader.all('select count(*) as n from notes');
    });
    await db.close();
    await expect(Promise.all([...writes, read])).resolves.toHaveLength(31);
    await expect(db.write((uow) => insertNote(uow, 'late'))).rejects.toMatchObject({
      code: 'storage_closed',
    });
    await expect(noteIds(db)).rejects.toMatchObject({ code: 'storage_closed' });
    await db.close();
    const again = await open(NOTES, { beside: db });
    expect(await noteIds(again)).toHaveLength(30);
  });
});
