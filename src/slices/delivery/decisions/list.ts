import { isString } from '../../../kernel/json/loose.ts';
import type { LedgerRow, RepoDecision } from '../records.ts';
import { FILES, within } from '../repository/paths.ts';
import { readRows } from '../repository/row-file.ts';
import { pickRows, type RecordFilter } from '../runs/list.ts';
import { currentRepoDecisions } from './rules.ts';

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
