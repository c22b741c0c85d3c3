/** The accounts by what they rest on: the other direction of `why_things`. */
import type { Account, Thing } from '../journal/provenance.ts';
import type { Reader, UnitOfWork } from '../storage/database.ts';
import { insertion } from '../storage/insertion.ts';

const causeRows = insertion({
  into: 'why_causes',
  columns: ['source_id', 'source_kind', 'project_id', 'leaf', 'role'],
  unless: 'on conflict do nothing',
});

export async function hasUnindexed(reader: Reader): Promise<boolean> {
  const row = await reader.get(
    'select 1 as found from why_accounts where leaf > (select leaf from why_causes_cursor where id = 1) limit 1',
  );
  return row !== undefined;
}

/** Reads on where it stopped: accounts from before this index was kept come first. True while there may be more. */
export async function indexCauses(uow: UnitOfWork, limit: number): Promise<boolean> {
  const cursor =
    (await uow.get<{ leaf: number }>('select leaf from why_causes_cursor where id = 1'))?.leaf ?? -1;
  const rows = await uow.all<{ leaf: number; project_id: string; account: string }>(
    'select leaf, project_id, account from why_accounts where leaf > ? order by leaf limit ?',
    [cursor, limit],
  );
  const last = rows.at(-1);
  if (!last) return false;
  await causeRows.run(
    uow,
    rows.flatMap((row) =>
      (JSON.parse(row.account) as Account).from.map(({ kind, id, as }) => [
        id,
        kind,
        row.project_id,
        row.leaf,
        as,
      ]),
    ),
  );
  await uow.run('update why_causes_cursor set leaf = ? where id = 1 and leaf < ?', [last.leaf, last.leaf]);
  return rows.length === limit;
}

export interface CausedAccount {
  readonly sourceId: string;
  /** `any` means whatever has this id. */
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
