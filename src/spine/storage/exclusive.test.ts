import { expect, it } from 'vitest';
import { describeOnEachEngine, insertNote, NOTES, noteIds } from './testing.ts';

describeOnEachEngine('a store that is held still', (open) => {
  it('is read by others and written by nobody else until the holder has committed', async () => {
    const db = await open(NOTES, { lockWaitMs: 200 });
    const other = await open(NOTES, { beside: db, lockWaitMs: 200 });
    await db.write((uow) => insertNote(uow, 'before'));
    await db.exclusively(async (uow) => {
      await insertNote(uow, 'held');
      expect(await noteIds(other)).toEqual(['before']);
      await expect(other.write((unit) => insertNote(unit, 'late'))).rejects.toMatchObject({
        code: 'storage_locked',
      });
    });
    expect(await noteIds(other)).toEqual(['before', 'held']);
    await other.write((uow) => insertNote(uow, 'after'));
    expect(await noteIds(db)).toEqual(['after', 'before', 'held']);
  });

  it('keeps nothing of a holder that fails', async () => {
    const db = await open(NOTES);
    const failing = db.exclusively(async (uow) => {
      await insertNote(uow, 'a');
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    expect(await noteIds(db)).toEqual([]);
    await db.write((uow) => insertNote(uow, 'b'));
    expect(await noteIds(db)).toEqual(['b']);
  });
});
