import type { Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../spine/storage/database.ts';
import type { PeerDirectory } from '../peers/directory.ts';
import { selectEveryPeer } from '../peers/store.ts';

const EVERY_MICROS = 60e6;
const AT_ONCE = 8;

export interface CardRefresh {
  /** Begins to look at every peer's card where that is due, and returns at once. */
  run(): void;
  /** Waits for what is under way. */
  settled(): Promise<void>;
}

/** Cards are looked at without anybody asking, so that a change is found, and a peer that fails is known, before a message is lost. */
export function createCardRefresh(
  db: Database,
  clock: Clock,
  directory: Pick<PeerDirectory, 'describe'>,
  onError: (error: unknown, what: string) => void,
): CardRefresh {
  let due = clock.now() + EVERY_MICROS;
  let running: Promise<void> | undefined;
  let stopped = false;

  async function refresh(): Promise<void> {
    const peers = await db.read(selectEveryPeer);
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let peer = peers.pop(); peer && !stopped; peer = peers.pop())
          await directory.describe(peer).catch((error) => onError(error, 'the card of a peer was not read'));
      }),
    );
  }

  return {
    run() {
      if (running || clock.now() < due) return;
      due = clock.now() + EVERY_MICROS;
      running = refresh()
        .catch((error) => onError(error, 'the cards of peers were not read'))
        .finally(() => {
          running = undefined;
        });
    },
    async settled() {
      stopped = true;
      await running;
    },
  };
}
