import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BoundedWork, unboundedWork, type WorkBudget } from '../platform/bounded-work/bounded-work.ts';
import { createThreadPool } from '../platform/bounded-work/thread-pool.ts';

/** Threads in the built program. From source there is no program for them to run, so the work is done on this one. */
export function createWork(
  budget: WorkBudget,
  file = fileURLToPath(new URL('./work-thread.js', import.meta.url)),
): BoundedWork {
  return existsSync(file) ? createThreadPool({ file, budget }) : unboundedWork;
}
