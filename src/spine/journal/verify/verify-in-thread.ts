import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Database } from '../../storage/database.ts';
import { stepNames, stepTexts } from '../../storage/migrate.ts';
import type { Migration } from '../../storage/migration.ts';
import type { TableDeclarations } from '../../storage/tables.ts';
import { rewritesOf } from '../state/rewrite.ts';
import type { DerivedCheck } from './derived-slot.ts';
import type { KeptQuestion } from './kept-check.ts';
import type { JournalReport } from './report.ts';
import { asSent } from './sent-refusal.ts';
import { verifyWith } from './verify-with.ts';
import type { VerifyMessage, VerifyTask } from './verify-worker.ts';

export interface VerifyStore {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly declarations: TableDeclarations;
  readonly trustedKeys: readonly string[];
  /** The keys that payloads are encrypted with. */
  readonly payloadKeys?: readonly Uint8Array[];
  readonly derived?: readonly DerivedCheck[];
  /** The program's schema; without it, neither the steps that the store lists nor what they made are compared. */
  readonly migrations?: readonly Migration[];
  /** Leaves out the tables beside the journal. */
  readonly eventsOnly?: boolean;
  /** Leaves out only tables that are made from others. */
  readonly withoutDerived?: boolean;
  readonly kept?: KeptQuestion | undefined;
  /** Witnesses that the server asks, as `name+id+key`. */
  readonly witnessKeys?: readonly string[];
  readonly progress?: (events: number, total: number) => void;
  readonly signal?: AbortSignal;
  /** The bundled worker; by default next to the running program. */
  readonly workerFile?: string;
}

/** About 5 ms of work, so that a server that verifies on its own thread stays responsive. */
const COOPERATIVE_BATCH = 500;

/** Verifies in a worker thread in the built program; from source, in small steps on this thread. */
export function verifyStore(store: VerifyStore): Promise<JournalReport> {
  const file = store.workerFile ?? fileURLToPath(new URL('./verify-worker.js', import.meta.url));
  return existsSync(file) ? verifyInWorker(file, store) : verifyHere(store);
}

function verifyHere(store: VerifyStore): Promise<JournalReport> {
  const {
    db,
    trustedKeys,
    payloadKeys = [],
    declarations,
    derived = [],
    eventsOnly = false,
    withoutDerived = false,
    kept,
    witnessKeys,
    progress,
    signal,
  } = store;
  return verifyWith(db, {
    trustedKeys,
    payloadKeys,
    declarations,
    derived,
    ...schemaOf(store),
    eventsOnly,
    withoutDerived,
    kept,
    witnessKeys,
    batch: COOPERATIVE_BATCH,
    ...(progress && { progress }),
    pause: async () => {
      await nextTurn();
      signal?.throwIfAborted();
    },
  });
}

function schemaOf({ db, migrations = [] }: VerifyStore) {
  return {
    steps: stepNames(migrations, db.engine),
    rewrites: rewritesOf(migrations),
    schema: stepTexts(migrations),
  };
}

async function verifyInWorker(file: string, store: VerifyStore): Promise<JournalReport> {
  const { databaseUrl, trustedKeys, payloadKeys = [], kept, witnessKeys = [] } = store;
  const { eventsOnly = false, withoutDerived = false } = store;
  const task: VerifyTask = {
    databaseUrl,
    trustedKeys,
    payloadKeys,
    ...schemaOf(store),
    eventsOnly,
    withoutDerived,
    kept,
    witnessKeys,
  };
  const worker = new Worker(file, { workerData: task });
  // It is asked to stop, never terminated: terminating a thread inside the SQLite library crashes the process.
  const stop = () => worker.postMessage('stop');
  store.signal?.addEventListener('abort', stop, { once: true });
  if (store.signal?.aborted) stop();
  try {
    return await outcomeOf(worker, store);
  } finally {
    store.signal?.removeEventListener('abort', stop);
  }
}

/** The thread's last message, once it has ended and closed the store. */
function outcomeOf(worker: Worker, { progress, signal }: VerifyStore): Promise<JournalReport> {
  let last: Exclude<VerifyMessage, { progress: unknown }> | undefined;
  return new Promise((resolve, reject) => {
    worker.on('message', (message: VerifyMessage) => {
      if ('progress' in message) progress?.(message.progress.events, message.progress.total);
      else last = message;
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      if (signal?.aborted) reject(signal.reason);
      else if (last && 'report' in last) resolve(last.report);
      else if (last && 'refusal' in last) reject(asSent(last.refusal));
      else reject(last?.error ?? new Error('The verification thread ended early.'));
    });
  });
}
