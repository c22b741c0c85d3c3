/** What the verifying worker thread runs; it opens its own store connection and shares only messages. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { BatonError } from '../../../kernel/error.ts';
import type { Database } from '../../storage/database.ts';
import type { StepName, StepTexts } from '../../storage/migrate.ts';
import { openDatabase } from '../../storage/open.ts';
import type { TableDeclarations } from '../../storage/tables.ts';
import type { Rewrite } from '../state/rewrite.ts';
import type { DerivedCheck } from './derived-slot.ts';
import type { KeptQuestion } from './kept-check.ts';
import type { JournalReport } from './report.ts';
import { type SentRefusal, toSend } from './sent-refusal.ts';
import { AS_IT_IS, verifyWith } from './verify-with.ts';

export interface VerifyTask {
  readonly databaseUrl: string;
  readonly trustedKeys: readonly string[];
  readonly payloadKeys: readonly Uint8Array[];
  readonly steps: readonly StepName[];
  readonly rewrites: readonly Rewrite[];
  readonly schema: readonly StepTexts[];
  readonly eventsOnly: boolean;
  readonly withoutDerived: boolean;
  readonly kept: KeptQuestion | undefined;
  readonly witnessKeys: readonly string[];
}

/** What cannot be sent to a thread. */
export interface ProgramTables {
  readonly declarations: TableDeclarations;
  readonly derived: readonly DerivedCheck[];
}

export type VerifyMessage =
  | { readonly progress: { readonly events: number; readonly total: number } }
  | { readonly report: JournalReport }
  | { readonly refusal: SentRefusal }
  | { readonly error: unknown };

async function verify(
  task: VerifyTask,
  program: ProgramTables,
  post: (message: VerifyMessage) => void,
  isStopped: () => boolean,
): Promise<void> {
  let db: Database | undefined;
  try {
    db = await openDatabase(task.databaseUrl, AS_IT_IS);
    post({
      report: await verifyWith(db, {
        ...task,
        ...program,
        progress: (events, total) => post({ progress: { events, total } }),
        pause: async () => {
          await nextTurn();
          if (isStopped()) throw new Error('The verification was cancelled.');
        },
      }),
    });
  } catch (error) {
    post(error instanceof BatonError ? { refusal: toSend(error) } : { error });
  } finally {
    await db?.close();
  }
}

/** For the entry point of the thread, which knows all tables. */
export async function serveVerification(program: ProgramTables): Promise<void> {
  if (parentPort === null) return;
  const port = parentPort;
  let stopped = false;
  port.on('message', () => {
    stopped = true;
  });
  await verify(
    workerData as VerifyTask,
    program,
    (message) => port.postMessage(message),
    () => stopped,
  );
  port.close();
}
