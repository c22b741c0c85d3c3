import type { Clock, Micros } from '../../kernel/clock.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Database, Reader } from '../storage/database.ts';
import { type Channel, selectChannel } from './channel-store.ts';
import { assignDue, selectDueChannels } from './delivery-store.ts';
import { countSince, insertMessage } from './message-store.ts';
import { isQuiet } from './rules/due.ts';

export const SEND_JOB = 'notification.send';

export interface AssembleDeps {
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly ids: () => string;
}

const HOUR: Micros = 3_600_000_000;
const TEN_MINUTES: Micros = 600_000_000;
/** So many in an hour, and from then on one in ten minutes, with all that has come together. */
const FREE_IN_AN_HOUR = 10;

/** Makes messages of what is due: one for each channel, with everything that waits for it, and the job that sends it. */
export function createAssemble({ db, jobs, clock, ids }: AssembleDeps) {
  async function isReady(reader: Reader, channel: Channel | undefined, now: Micros): Promise<boolean> {
    if (!channel || channel.paused || channel.kind === 'browser') return false;
    if (isQuiet(now, channel.quiet, channel.zone)) return false;
    if ((await countSince(reader, channel.channelId, now - HOUR)) < FREE_IN_AN_HOUR) return true;
    return (await countSince(reader, channel.channelId, now - TEN_MINUTES)) === 0;
  }

  /** `origin`: the address at which people reach the dashboard. */
  return async function assemble(origin: string): Promise<void> {
    const now = clock.now();
    const ready = await db.read(async (reader) => {
      const found: string[] = [];
      for (const channelId of await selectDueChannels(reader, now)) {
        if (await isReady(reader, await selectChannel(reader, channelId), now)) found.push(channelId);
      }
      return found;
    });
    for (const channelId of ready) {
      const messageId = ids();
      await db.write(async (uow) => {
        const things = await assignDue(uow, channelId, messageId, now);
        if (things === 0) return;
        await insertMessage(uow, {
          messageId,
          channelId,
          state: 'queued',
          origin,
          things,
          createdMicros: now,
          endedMicros: null,
          error: null,
        });
        await jobs.enqueue(uow, { kind: SEND_JOB, key: messageId });
      });
    }
  };
}
