/** Tasks that behave badly, for the tests of the pool. */
import type { Task } from './bounded-work.ts';
import { serveTasks, type TaskTable } from './serve-tasks.ts';

export const doubled: Task<number, number> = { name: 'doubled', run: (n) => n * 2 };

export const endless: Task<null, never> = {
  name: 'endless',
  run: () => {
    for (;;);
  },
};

export const hungry: Task<number, number> = {
  name: 'hungry',
  run: (count) => {
    const kept: object[] = [];
    for (let at = 0; at < count; at += 1) kept.push({ at, text: `${at}` });
    return kept.length;
  },
};

export const deep: Task<number, number> = {
  name: 'deep',
  run: (levels) => {
    const down = (left: number): number => (left === 0 ? 0 : 1 + down(left - 1));
    return down(levels);
  },
};

export const backtracking: Task<string, boolean> = {
  name: 'backtracking',
  run: (text) => /^(a+)+$/.test(text),
};

export const failing: Task<null, never> = {
  name: 'failing',
  run: () => {
    throw new TypeError('as it does');
  },
};

const tasks = [doubled, endless, hungry, deep, backtracking, failing];
serveTasks(Object.fromEntries(tasks.map((task) => [task.name, async () => task])) as TaskTable);
