import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import { relayMigrations } from '../migrations.ts';
import {
  deleteInstance,
  deleteOpenSpan,
  insertOpenSpan,
  selectInstances,
  selectOpenSpansOf,
  touchInstance,
} from './store.ts';
import { PROJECT, testSpan } from './testing.ts';

describeOnEachEngine('open spans', (open) => {
  it('are found by the process that opened them, oldest first, some at a time', async () => {
    const db = await open(relayMigrations);
    await db.write(async (uow) => {
      for (const n of [3, 1, 2])
        await insertOpenSpan(uow, 'one', { projectId: PROJECT, span: testSpan(n) }, n);
      await insertOpenSpan(uow, 'two', { projectId: PROJECT, span: testSpan(9) }, 9);
    });
    const found = await db.read((reader) => selectOpenSpansOf(reader, 'one', 2));
    expect(found).toEqual([1, 2].map((n) => ({ projectId: PROJECT, span: testSpan(n) })));
  });

  it('are opened once and closed once', async () => {
    const db = await open(relayMigrations);
    await db.write(async (uow) => {
      await insertOpenSpan(uow, 'one', { projectId: PROJECT, span: testSpan(1) }, 1);
      await insertOpenSpan(uow, 'two', { projectId: PROJECT, span: testSpan(1) }, 2);
    });
    expect(await db.read((reader) => selectOpenSpansOf(reader, 'two', 9))).toEqual([]);
    await db.write((uow) => deleteOpenSpan(uow, testSpan(1).spanId));
    expect(await db.read((reader) => selectOpenSpansOf(reader, 'one', 9))).toEqual([]);
  });
});

describeOnEachEngine('processes of the relay', (open) => {
  it('are there once, with when they were last seen, until they leave', async () => {
    const db = await open(relayMigrations);
    const self = { id: 'one', host: 'h', pid: 42 };
    await db.write((uow) => touchInstance(uow, self, 1));
    await db.write((uow) => touchInstance(uow, self, 5));
    expect(await db.read(selectInstances)).toEqual([{ instance_id: 'one', host: 'h', pid: 42, seen_us: 5 }]);
    await db.write((uow) => deleteInstance(uow, 'one'));
    expect(await db.read(selectInstances)).toEqual([]);
  });
});
