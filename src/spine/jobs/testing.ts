/** For tests of rooms that queue work. */
import { uuidV7Source } from '../../kernel/ids.ts';
import { fakeClock, seededRandom } from '../../platform/testing.ts';
import type { Database } from '../storage/database.ts';
import type { JobHandler } from './handler.ts';
import { createJobQueue, type NewJob } from './queue.ts';
import { createWorker, type WorkerOptions } from './worker.ts';

export function testJobs(db: Database, seed = 1, clock = fakeClock()) {
  const random = seededRandom(seed);
  const queue = createJobQueue({ ids: uuidV7Source(clock, random), clock });
  return {
    db,
    clock,
    queue,
    enqueue: (job: NewJob) => db.write((uow) => queue.enqueue(uow, job)),
    job: (jobId: string) => db.read((reader) => queue.get(reader, jobId)),
    worker: (handlers: Readonly<Record<string, JobHandler>>, options: Partial<WorkerOptions> = {}) =>
      createWorker(db, new Map(Object.entries(handlers)), { clock, random, ...options }),
  };
}
