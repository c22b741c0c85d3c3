import { parentPort } from 'node:worker_threads';
import type { Task } from './bounded-work.ts';

export interface TaskMessage {
  readonly task: string;
  readonly input: unknown;
}

export type TaskAnswer = { readonly result: unknown } | { readonly error: unknown };

/** By name; loaded when it is first asked for, so that a thread holds no more code than it needs. */
// biome-ignore lint/suspicious/noExplicitAny: a table of functions, each with types of its own
export type TaskTable = Readonly<Record<string, () => Promise<Task<any, any>>>>;

/** The thread's side of a pool: does one task after another. */
export function serveTasks(tasks: TaskTable): void {
  parentPort?.on('message', async ({ task, input }: TaskMessage) =>
    parentPort?.postMessage(await answerOf(tasks[task], input)),
  );
}

async function answerOf(load: TaskTable[string] | undefined, input: unknown): Promise<TaskAnswer> {
  if (!load) return { error: new Error('This thread does not know the task.') };
  try {
    return { result: (await load()).run(input) };
  } catch (error) {
    return { error };
  }
}
