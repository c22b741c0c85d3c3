import { watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isString } from '../../../kernel/json/loose.ts';
import { currentRepoDecisions } from '../decisions/rules.ts';
import type { HistoryRow, LedgerRow, RepoDecision, RunEvent } from '../records.ts';
import { readRows } from '../repository/files.ts';
import { FILES, within } from '../repository/paths.ts';
import { readEvents } from '../repository/snapshot.ts';

export interface RecordFilter {
  /** Every run in the repository by default. */
  readonly runId?: string;
  readonly limit?: number;
}

export async function listHistory(root: string, filter: RecordFilter = {}): Promise<readonly HistoryRow[]> {
  return pickRows((await readRows(within(root, FILES.history))) as readonly HistoryRow[], filter);
}

export async function listEvents(root: string, filter: RecordFilter = {}): Promise<readonly RunEvent[]> {
  return pickRows(await readEvents(root), filter);
}

/** Yields events as they are written, after the first `skip`, until the signal aborts. */
export async function* followEvents(root: string, signal: AbortSignal, skip = 0): AsyncGenerator<RunEvent> {
  const file = within(root, FILES.events);
  await mkdir(dirname(file), { recursive: true });
  let wake = () => {};
  let changed = true;
  const ring = () => {
    changed = true;
    wake();
  };
  const watcher = watch(dirname(file), ring);
  // Some file systems do not report changes, so poll as well.
  const timer = setInterval(ring, 1000);
  signal.addEventListener('abort', ring, { once: true });
  try {
    for (let seen = skip; !signal.aborted; ) {
      while (!changed) await new Promise<void>((resolve) => (wake = resolve));
      changed = false;
      const events = await readEvents(root);
      for (const event of events.slice(seen)) yield event;
      seen = Math.max(seen, events.length);
    }
  } finally {
    watcher.close();
    clearInterval(timer);
  }
}

/** The latest rows, of one run or of all. */
function pickRows<T extends { readonly run_id?: unknown }>(
  rows: readonly T[],
  filter: RecordFilter,
): readonly T[] {
  const own = filter.runId === undefined ? rows : rows.filter((row) => row.run_id === filter.runId);
  return filter.limit === undefined ? own : own.slice(-filter.limit);
}

/** Decisions only: governance entries in the ledger have no id. */
export async function listDecisions(root: string, filter: RecordFilter = {}): Promise<readonly LedgerRow[]> {
  return pickRows(
    (await readRows(within(root, FILES.ledger))).filter((row) => isString(row.id)),
    filter,
  );
}

export async function listLedger(root: string, filter: RecordFilter = {}): Promise<readonly LedgerRow[]> {
  return pickRows(await readRows(within(root, FILES.ledger)), filter);
}

export async function listRepoDecisions(root: string): Promise<readonly RepoDecision[]> {
  return currentRepoDecisions((await readRows(within(root, FILES.repoDecisions))) as readonly RepoDecision[]);
}
