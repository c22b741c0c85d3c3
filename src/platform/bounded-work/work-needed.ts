import { BatonError } from '../../kernel/error.ts';
import type { BoundedWork, Task } from './bounded-work.ts';
import { workErrors } from './errors.ts';

/**
 * Thrown inside a unit of work or a read by what needs expensive work done first. Nothing of the unit is kept; the work is
 * done outside, handed to `accept`, and the unit runs again. It then finds the result by the digest of what was judged,
 * so a result is never used for anything else.
 */
export class WorkNeeded<In, Out> extends Error {
  readonly task: Task<In, Out>;
  readonly input: In;
  readonly accept: (result: Out) => void;
  /** The result where the budget does not suffice; without one, that is the caller's error. */
  readonly otherwise: Out | undefined;

  constructor(task: Task<In, Out>, input: In, accept: (result: Out) => void, otherwise?: Out) {
    super(`${task.name} has to be done outside the unit of work`);
    this.task = task;
    this.input = input;
    this.accept = accept;
    this.otherwise = otherwise;
  }
}

/** What one attempt asks for may change while it waits; an input that never settles is not worked on for ever. */
const MOST_ATTEMPTS = 24;

/** Repeats the attempt until it needs no more work. */
export async function withWorkDone<T>(work: BoundedWork, attempt: () => Promise<T>): Promise<T> {
  for (let left = MOST_ATTEMPTS; ; left -= 1) {
    try {
      return await attempt();
    } catch (thrown) {
      if (!(thrown instanceof WorkNeeded)) throw thrown;
      if (left === 0) throw workErrors.work_queue_full({ cause: thrown });
      thrown.accept(await resultOf(work, thrown));
    }
  }
}

async function resultOf<In, Out>(
  work: BoundedWork,
  { task, input, otherwise }: WorkNeeded<In, Out>,
): Promise<Out> {
  try {
    return await work.run(task, input);
  } catch (error) {
    const tooLarge = error instanceof BatonError && error.code === 'work_too_large';
    if (tooLarge && otherwise !== undefined) return otherwise;
    throw error;
  }
}
