/** The accounts by what they rest on: the other direction of `why_things`. */
import type { Account, Thing } from '../journal/provenance.ts';
import type { Reader, SqlValue, UnitOfWork } from '../storage/database.ts';
import { insertion } from '../storage/insertion.ts';

const causeRows = insertion({
  into: 'why_causes',
  columns: ['source_id', 'source_kind', 'project_id', 'leaf', 'role'],
  unless: 'on conflict do nothing',
});

/** One row of the index: what an account rests on. */
export interface Cause {
  readonly sourceId: string;
  /** `any` means whatever has this id. */
  readonly sourceKind: string;
  readonly projectId: string;
  readonly leaf: number;
  readonly role: string;
}

export interface AccountText {
  readonly leaf: number;
  readonly projectId: string;
  readonly account: string;
}

/** What the index holds of an account. */
export function causesOf({ leaf, projectId, account }: AccountText): Cause[] {
  return (JSON.parse(account) as Account).from.map(({ kind, id, as }) => ({
    sourceId: id,
    sourceKind: kind,
    projectId,
    leaf,
    role: as,
  }));
}

export async function hasUnindexed(reader: Reader): Promise<boolean> {
  const row = await reader.get(
    'select 1 as found from why_accounts where leaf > (select leaf from why_causes_cursor where id = 1) limit 1',
  );
  return row !== undefined;
}

/** Up to which leaf accounts are in the index. */
export async function readCauseCursor(reader: Reader): Promise<number> {
  return (await reader.get<{ leaf: number }>('select leaf from why_causes_cursor where id = 1'))?.leaf ?? -1;
}

export async function selectAccounts(
  reader: Reader,
  after: number,
  last: number,
  limit: number,
): Promise<AccountText[]> {
  const rows = await reader.all<{ leaf: number; project_id: string; account: string }>(
    'select leaf, project_id, account from why_accounts where leaf > ? and leaf <= ? order by leaf limit ?',
    [after, last, limit],
  );
  return rows.map((row) => ({ leaf: Number(row.leaf), projectId: row.project_id, account: row.account }));
}

/** Reads on where it stopped: accounts from before this index was kept come first. True while there may be more. */
export async function indexCauses(uow: UnitOfWork, limit: number): Promise<boolean> {
  await uow.lock('why/causes');
  const accounts = await selectAccounts(uow, await readCauseCursor(uow), Number.MAX_SAFE_INTEGER, limit);
  const last = accounts.at(-1);
  if (!last) return false;
  await causeRows.run(uow, accounts.flatMap(causesOf).map(cellsOf));
  await uow.run('update why_causes_cursor set leaf = ? where id = 1 and leaf < ?', [last.leaf, last.leaf]);
  return accounts.length === limit;
}

interface CauseRow {
  readonly source_id: string;
  readonly source_kind: string;
  readonly project_id: string;
  readonly leaf: number;
  readonly role: string;
}

const COLUMNS = ['source_id', 'source_kind', 'project_id', 'leaf', 'role'] as const;
const causeOf = (row: CauseRow): Cause => ({
  sourceId: row.source_id,
  sourceKind: row.source_kind,
  projectId: row.project_id,
  leaf: Number(row.leaf),
  role: row.role,
});

/** Those of these rows that are there. */
export async function hasCauses(reader: Reader, causes: readonly Cause[]): Promise<Cause[]> {
  const one = `(${COLUMNS.map((column) => `${column} = ?`).join(' and ')})`;
  const rows = await reader.all<CauseRow>(
    `select ${COLUMNS.join(', ')} from why_causes where ${causes.map(() => one).join(' or ')}`,
    causes.flatMap(cellsOf),
  );
  return rows.map(causeOf);
}

/** In the order of their key, each with the account that it is made from if there is one. */
export async function selectCauses(
  reader: Reader,
  after: Cause | undefined,
  limit: number,
): Promise<{ readonly cause: Cause; readonly account: AccountText | undefined }[]> {
  const names = COLUMNS.map((column) => `c.${column}`).join(', ');
  const rows = await reader.all<CauseRow & { account: string | null; account_project: string }>(
    `select ${names}, a.account as account, a.project_id as account_project
     from why_causes c left join why_accounts a on a.leaf = c.leaf
     ${after ? `where (${names}) > (${COLUMNS.map(() => '?').join(', ')})` : ''} order by ${names} limit ?`,
    [...(after ? cellsOf(after) : []), limit],
  );
  return rows.map((row) => ({
    cause: causeOf(row),
    account:
      row.account === null
        ? undefined
        : { leaf: Number(row.leaf), projectId: row.account_project, account: row.account },
  }));
}

function cellsOf({ sourceId, sourceKind, projectId, leaf, role }: Cause): SqlValue[] {
  return [sourceId, sourceKind, projectId, leaf, role];
}

export interface CausedAccount {
  readonly sourceId: string;
  readonly sourceKind: string;
  readonly role: string;
  readonly leaf: number;
  readonly eventId: string;
  readonly actorId: string;
  readonly account: Account;
}

/** What rests on one of these ids. */
export async function selectCausedBy(
  reader: Reader,
  projectId: string,
  ids: readonly string[],
): Promise<CausedAccount[]> {
  const rows = await reader.all<{
    source_id: string;
    source_kind: string;
    role: string;
    leaf: number;
    event_id: string;
    actor_id: string;
    account: string;
  }>(
    `select c.source_id, c.source_kind, c.role, c.leaf, a.event_id, a.actor_id, a.account
     from why_causes c join why_accounts a on a.leaf = c.leaf
     where c.project_id = ? and c.source_id in (${ids.map(() => '?').join(', ')}) order by c.leaf`,
    [projectId, ...ids],
  );
  return rows.map((row) => ({
    sourceId: row.source_id,
    sourceKind: row.source_kind,
    role: row.role,
    leaf: Number(row.leaf),
    eventId: row.event_id,
    actorId: row.actor_id,
    account: JSON.parse(row.account) as Account,
  }));
}

/** What an actor did between two leaves, the first step of each thing only. */
export async function selectActs(
  reader: Reader,
  projectId: string,
  actorId: string,
  between: { readonly after: number; readonly before: number },
  limit: number,
): Promise<Thing[]> {
  return reader.all<{ kind: string; id: string }>(
    `select t.kind as kind, t.thing_id as id from why_accounts a join why_things t on t.leaf = a.leaf
     where a.project_id = ? and a.actor_id = ? and a.leaf > ? and a.leaf < ?
       and not exists (
         select 1 from why_things e where e.thing_id = t.thing_id and e.kind = t.kind and e.project_id = t.project_id
           and e.leaf < t.leaf)
     order by a.leaf limit ?`,
    [projectId, actorId, between.after, between.before, limit],
  );
}

/** What was handed to an actor after a leaf, the first of it. */
export function selectReadingsAfter(
  reader: Reader,
  projectId: string,
  actorId: string,
  leaf: number,
  limit: number,
): Promise<{ readonly leaf: number; readonly event_id: string }[]> {
  return reader.all(
    `select leaf, event_id from why_accounts
     where project_id = ? and actor_id = ? and reading = 1 and leaf > ? order by leaf limit ?`,
    [projectId, actorId, leaf, limit],
  );
}
