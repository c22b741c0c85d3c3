import { expect, it } from 'vitest';
import { describeOnEachEngineEvenBare, insertNote, NOTES, noteIds } from './testing.ts';

describeOnEachEngineEvenBare('a store that is held still', (open) => {
  it('is read by others, and written by nobody else until the holder has committed', async () => {
    const db = await open(NOTES);
    const other = await open(NOTES, { beside: db });
    await db.write((uow) => insertNote(uow, 'before'));
    const order: string[] = [];
    let late: Promise<unknown> | undefined;
    await db.exclusively(async (uow) => {
      await insertNote(uow, 'held');
      late = other.write((unit) => insertNote(unit, 'late')).then(() => order.push('late'));
      expect(await noteIds(other)).toEqual(['before']);
      order.push('held');
    });
    await late;
    expect(order).toEqual(['held', 'late']);
    expect(await noteIds(db)).toEqual(['before', 'held', 'late']);
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
