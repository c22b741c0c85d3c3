import { forgetAnswersBefore } from '../dispatch/idempotency.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Worker } from '../jobs/worker.ts';
import type { Tree } from '../journal/tree.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../storage/database.ts';

export interface UpkeepParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly tree: Tree;
  readonly inbox: Inbox;
  readonly worker: Worker;
  readonly onError: (error: unknown) => void;
}

export interface Upkeep {
  stop(): Promise<void>;
}

const EVERY_MS = 2_000;
const ANSWERS_KEPT_MICROS = 24 * 3600 * 1e6;

/** What a running server does beside its requests: jobs at once; checkpoints, expiries and sweeps every two seconds. */
export function startUpkeep(parts: UpkeepParts): Upkeep {
  const stopped = new AbortController();
  const jobs = parts.worker.run(stopped.signal).catch(parts.onError);
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(() => keepUp(parts)).catch(parts.onError);
  }, EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      stopped.abort();
      await Promise.all([jobs, round]);
    },
  };
}

/** One round; what is run by a command on the embedded store before it ends, too. */
export async function keepUp({
  db,
  clock,
  tree,
  inbox,
}: Omit<UpkeepParts, 'onError' | 'worker'>): Promise<void> {
  await tree.checkpoint();
  const overdue = await db.read((reader) =>
    reader.get<{ one: number }>(
      "select 1 as one from inbox_items where state = 'open' and expires_us <= ? limit 1",
      [clock.now()],
    ),
  );
  if (overdue) await db.write((uow) => inbox.expireDue(uow));
  const old = clock.now() - ANSWERS_KEPT_MICROS;
  const any = await db.read((reader) =>
    reader.get<{ one: number }>('select 1 as one from idempotency where created_us < ? limit 1', [old]),
  );
  if (any) await db.write((uow) => forgetAnswersBefore(uow, old));
}
