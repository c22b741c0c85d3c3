/** Runs jobs whose effect is a line on stdout; the kind `hang` never comes back from it. */

import { nodeRandom, systemClock } from '../../src/platform/index.ts';
import type { Job } from '../../src/spine/jobs/job.ts';
import { createWorker } from '../../src/spine/jobs/worker.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';

const [url = ''] = process.argv.slice(2);
const db = await openDatabase(url, { lockWaitMs: 120_000 });

const keepAlive = setInterval(() => {}, 1000);
async function hang(job: Job): Promise<never> {
  process.stdout.write(`${job.kind} ${job.key}\n`);
  return new Promise(() => {});
}
const handlers = new Map([
  ['once', { idempotent: false, run: hang }],
  ['again', { idempotent: true, run: hang }],
]);
await createWorker(db, handlers, { clock: systemClock, random: nodeRandom, leaseSeconds: 10 }).drain();
clearInterval(keepAlive);
