/** Appends events as fast as it can and prints the id of each one that was acknowledged. */

import { uuidV7Source } from '../../src/kernel/ids.ts';
import { nodeHasher, nodeRandom, systemClock } from '../../src/platform/index.ts';
import { createJournal } from '../../src/spine/journal/journal.ts';
import { createSequencer } from '../../src/spine/journal/numbers/sequencer.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';

const [url = '', sessions = '', limit = 'Infinity'] = process.argv.slice(2);
const db = await openDatabase(url, { lockWaitMs: 120_000 });
const ids = uuidV7Source(systemClock, nodeRandom);
const journal = createJournal({ hasher: nodeHasher, ids, clock: systemClock });
const sequencer = createSequencer(db);
const LANES = 8;

let left = Number(limit);
async function lane(sessionId: string): Promise<void> {
  while (left > 0) {
    left -= 1;
    const { eventId } = await db.write((uow) =>
      journal.append(uow, {
        chain: { sessionId, kind: 'ledger' },
        type: 'test.happened',
        payload: { left: 1 },
      }),
    );
    process.stdout.write(`${eventId}\n`);
    if (left % 20 === 0) await sequencer.run();
  }
}

const owners = sessions.split(',');
await Promise.all(Array.from({ length: LANES }, (_, n) => lane(owners[n % owners.length] as string)));
await db.close();
