import { parentPort } from 'node:worker_threads';
import type { Task } from './bounded-work.ts';

export interface TaskMessage {
  readonly task: string;
  readonly input: unknown;
}

export type TaskAnswer = { readonly result: unknown } | { readonly error: unknown };

/** The thread's side of a pool: does one task after another. */
// biome-ignore lint/suspicious/noExplicitAny: a table of functions, each with types of its own
export function serveTasks(tasks: readonly Task<any, any>[]): void {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  parentPort?.on('message', ({ task, input }: TaskMessage) =>
    parentPort?.postMessage(answerOf(byName.get(task), input)),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function answerOf(task: Task<any, any> | undefined, input: unknown): TaskAnswer {
  if (!task) return { error: new Error('This thread does not know the task.') };
  try {
    return { result: task.run(input) };
  } catch (error) {
    return { error };
  }
}
