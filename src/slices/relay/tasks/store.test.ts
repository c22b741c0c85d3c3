import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import { relayMigrations } from '../migrations.ts';
import {
  pruneTasks,
  selectTaskOwner,
  selectTasks,
  type TaskRow,
  upsertTask,
  upsertTaskUnlessNewer,
} from './store.ts';

const task: TaskRow = {
  project_id: 'p1',
  task_id: 't1',
  peer_id: 'writer',
  context_id: 'c1',
  state: 'working',
  trace_id: 'a'.repeat(32),
  span_id: 'b'.repeat(16),
  caller: 'key:1',
  opened_us: 10,
  updated_us: 10,
};

describeOnEachEngine('tasks', (open) => {
  it('keep who opened them when their state moves on', async () => {
    const db = await open(relayMigrations);
    await db.write(async (uow) => upsertTask(uow, task));
    const later = {
      ...task,
      state: 'completed',
      context_id: null,
      caller: 'key:2',
      opened_us: 20,
      updated_us: 20,
    };
    await db.write(async (uow) => upsertTask(uow, later));
    expect(await db.read((reader) => selectTaskOwner(reader, 'p1', 't1'))).toEqual({
      ...task,
      state: 'completed',
      updated_us: 20,
    });
  });

  it('learned of several times before a commit are one row, with what was learned last and who was first', async () => {
    const db = await open(relayMigrations);
    await db.write(async (uow) => {
      upsertTask(uow, task);
      upsertTask(uow, { ...task, task_id: 't2' });
      upsertTask(uow, {
        ...task,
        ...{ state: 'completed', context_id: null, caller: 'key:2', opened_us: 20, updated_us: 20 },
      });
    });
    expect(await db.read((reader) => selectTaskOwner(reader, 'p1', 't1'))).toEqual({
      ...task,
      state: 'completed',
      updated_us: 20,
    });
    expect(await db.read((reader) => selectTaskOwner(reader, 'p1', 't2'))).toMatchObject({
      state: 'working',
    });
  });

  it('learned late move on, and never back', async () => {
    const db = await open(relayMigrations);
    const stateAfter = async (state: string, updated_us: number) => {
      await db.write((uow) => upsertTaskUnlessNewer(uow, { ...task, state, updated_us }));
      return (await db.read((reader) => selectTaskOwner(reader, 'p1', 't1')))?.state;
    };
    expect(await stateAfter('working', 20)).toBe('working');
    expect(await stateAfter('completed', 30)).toBe('completed');
    expect(await stateAfter('submitted', 25)).toBe('completed');
  });

  it('of the same id belong to whom they were opened with first, and never to another project', async () => {
    const db = await open(relayMigrations);
    await db.write(async (uow) => {
      upsertTask(uow, { ...task, peer_id: 'second', opened_us: 11 });
      upsertTask(uow, task);
    });
    expect(await db.read((reader) => selectTaskOwner(reader, 'p1', 't1'))).toMatchObject({
      peer_id: 'writer',
    });
    expect(await db.read((reader) => selectTaskOwner(reader, 'p2', 't1'))).toBeUndefined();
  });

  it('are listed with the latest first, of one peer or of all, and pruned by age', async () => {
    const db = await open(relayMigrations);
    await db.write(async (uow) => {
      for (let n = 1; n <= 4; n += 1)
        upsertTask(uow, {
          ...task,
          task_id: `t${n}`,
          peer_id: n % 2 === 0 ? 'even' : 'odd',
          updated_us: n,
        });
    });
    const ids = async (options: Parameters<typeof selectTasks>[2]) =>
      (await db.read((reader) => selectTasks(reader, 'p1', options))).map(({ task_id }) => task_id);
    expect(await ids({ limit: 3 })).toEqual(['t4', 't3', 't2']);
    expect(await ids({ limit: 3, peerId: 'odd' })).toEqual(['t3', 't1']);
    expect(await db.write((uow) => pruneTasks(uow, 3))).toBe(2);
    expect(await ids({ limit: 9 })).toEqual(['t4', 't3']);
  });
});
