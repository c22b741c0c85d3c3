/** Entry point of the verifying worker thread, which opens its own store connection and shares only messages. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { ed25519, nodeHasher } from '../../../platform/index.ts';
import { openDatabase } from '../../storage/open.ts';
import { payloadCodec } from '../events/payload-codec.ts';
import type { KeptQuestion } from './kept-check.ts';
import type { JournalReport } from './report.ts';
import { verifyJournal } from './verify-journal.ts';

export interface VerifyTask {
  readonly databaseUrl: string;
  readonly trustedKeys: readonly string[];
  readonly payloadKeys: readonly Uint8Array[];
  readonly eventsOnly: boolean;
  readonly kept: KeptQuestion | undefined;
  readonly witnessKeys: readonly string[];
}

export type VerifyMessage =
  | { readonly progress: { readonly events: number; readonly total: number } }
  | { readonly report: JournalReport }
  | { readonly error: unknown };

async function verify(
  task: VerifyTask,
  post: (message: VerifyMessage) => void,
  isStopped: () => boolean,
): Promise<void> {
  const db = await openDatabase(task.databaseUrl);
  try {
    const report = await verifyJournal(db, {
      hasher: nodeHasher,
      verifyEd25519: ed25519.verify,
      trustedKeys: task.trustedKeys,
      payloads: payloadCodec(task.payloadKeys),
      kept: task.kept,
      witnessKeys: task.witnessKeys,
      progress: (events, total) => post({ progress: { events, total } }),
      pause: async () => {
        await nextTurn();
        if (isStopped()) throw new Error('The verification was cancelled.');
      },
    });
    post({ report });
  } catch (error) {
    post({ error });
  } finally {
    await db.close();
  }
}

if (parentPort) {
  const port = parentPort;
  let stopped = false;
  port.on('message', () => {
    stopped = true;
  });
  await verify(
    workerData as VerifyTask,
    (message) => port.postMessage(message),
    () => stopped,
  );
  port.close();
}
