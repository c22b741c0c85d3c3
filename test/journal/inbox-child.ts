/** Decides every open item of the store, working off the jobs, and dies by its own hand at a random moment. */

import { uuidV7Source } from '../../src/kernel/ids.ts';
import { nodeHasher, nodeRandom, systemClock } from '../../src/platform/index.ts';
import { createInbox } from '../../src/spine/inbox/inbox.ts';
import { inboxJob } from '../../src/spine/inbox/inbox-job.ts';
import { createJobQueue } from '../../src/spine/jobs/queue.ts';
import { createWorker } from '../../src/spine/jobs/worker.ts';
import { createJournal } from '../../src/spine/journal/journal.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';

const [url = '', sessionId = '', statements = '0'] = process.argv.slice(2);
let left = Number(statements);
const db = await openDatabase(url, {
  faults: () => {
    left -= 1;
    if (left < 0) process.kill(process.pid, 'SIGKILL');
  },
});
const ids = uuidV7Source(systemClock, nodeRandom);
const journal = createJournal({ hasher: nodeHasher, ids, clock: systemClock });
const jobs = createJobQueue({ ids, clock: systemClock });
const inbox = createInbox({
  journal,
  jobs,
  hasher: nodeHasher,
  clock: systemClock,
  random: nodeRandom,
  ledgerOf: async () => ({ sessionId, kind: 'ledger' }),
});
inbox.register('review', {
  apply: 'rows',
  run: async (uow, item) => {
    await uow.run('insert into effects (item_id) values (?)', [item.itemId]);
  },
});
inbox.register('gate', { apply: 'job', jobKind: 'open-gate' });
const work = inboxJob(db, inbox, {
  idempotent: true,
  run: (item) =>
    db.write(async (uow) => {
      await uow.run('insert into effects (item_id) values (?) on conflict do nothing', [item.itemId]);
    }),
});
const principal = {
  actor: { id: 'ana', type: 'human' },
  scopes: new Set(['*']),
  projects: 'all',
  defaultProject: 'p1',
  credential: { kind: 'dashboard', id: 'd1' },
  owner: false,
  speaksFor: [],
  present: true,
} as const;

const items = await db.read((reader) => inbox.list(reader, { projects: 'all', state: 'open', limit: 100 }));
for (const { itemId, digest } of items) {
  await db.write((uow) => inbox.decide(uow, { itemId, digest, decision: 'approve', principal }));
}
const worker = createWorker(db, new Map([['open-gate', work]]), {
  clock: systemClock,
  random: nodeRandom,
  leaseSeconds: 0.2,
  backoff: { firstSeconds: 0.01, longestSeconds: 0.01 },
});
for (const end = Date.now() + 60_000; Date.now() < end; ) {
  await worker.drain();
  const waiting = await db.read((reader) =>
    reader.get("select 1 as one from jobs where state in ('queued', 'running')"),
  );
  if (!waiting) break;
  await new Promise((resolve) => setTimeout(resolve, 25));
}
await db.close();
