import type { Clock, Micros, Random } from '../../kernel/clock.ts';
import type { RecordEvent } from '../identity/ledger.ts';
import type { Limiter } from '../identity/limits/limiter.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { JobHandler } from '../jobs/handler.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Feed } from '../journal/feed/feed.ts';
import type { Handlers } from '../operations/handler.ts';
import type { Reach } from '../outbound/address-guard.ts';
import type { Database } from '../storage/database.ts';
import { createAssemble, SEND_JOB } from './assemble.ts';
import { deleteOlder, hasOlder } from './delivery-store.ts';
import { createNotificationHandlers } from './handlers.ts';
import type { notificationOperations } from './operations.ts';
import { createSend } from './send/send.ts';
import { createSendJob } from './send-job.ts';
import { createVault } from './vault.ts';
import { createWatch } from './watch.ts';

export interface NotificationDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: () => string;
  readonly feed: Feed;
  readonly inbox: Inbox;
  readonly jobs: JobQueue;
  readonly limiter: Limiter;
  readonly record: RecordEvent;
  /** What seals addresses. */
  readonly key: () => Uint8Array;
  readonly reach: Reach;
  /** Where people reach the dashboard, where that is set. */
  readonly publicUrl: string | undefined;
}

export interface Notifications {
  readonly handlers: Handlers<typeof notificationOperations>;
  readonly jobs: Readonly<Record<string, JobHandler>>;
  /** Once the server listens: links lead here unless a public address is set. */
  served(url: string): void;
  upkeep(): Promise<void>;
}

const KEPT: Micros = 30 * 24 * 3_600_000_000;

/** Tells people what waits for them, each thing once, by the channels that they chose. */
export function createNotifications(deps: NotificationDeps): Notifications {
  const { db, clock, publicUrl } = deps;
  const vault = createVault(deps.key);
  const send = createSend({ db, clock, vault, reach: deps.reach });
  const watch = createWatch(deps);
  const assemble = createAssemble(deps);
  let origin = publicUrl?.replace(/\/+$/, '');

  return {
    handlers: createNotificationHandlers({ ...deps, vault, send, origin: () => origin ?? '' }),
    jobs: { [SEND_JOB]: createSendJob({ ...deps, vault, send }) },
    served(url) {
      origin ??= url.replace(/\/+$/, '');
    },
    async upkeep() {
      await watch.look();
      // A command that ends in a moment knows no address that a link could lead to; a server will send it.
      if (origin !== undefined) await assemble(origin);
      const old = clock.now() - KEPT;
      if (await db.read((reader) => hasOlder(reader, old))) await db.write((uow) => deleteOlder(uow, old));
    },
  };
}
