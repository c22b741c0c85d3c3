import type { Account, Thing } from '../journal/provenance.ts';
import type { Reader, UnitOfWork } from '../storage/database.ts';
import { insertion } from '../storage/insertion.ts';

/** An event with what it says, as the index keeps it. */
export interface Told {
  readonly leaf: number;
  readonly eventId: string;
  readonly hash: string;
  readonly type: string;
  readonly at: string;
  readonly actorId: string;
  /** Retention has dropped its payload; the hash stands, and what it said is remembered here. */
  readonly pruned: boolean;
  readonly account: Account;
}

export interface NewTold {
  readonly leaf: number;
  readonly eventId: string;
  readonly projectId: string;
  readonly actorId: string;
  readonly account: Account;
}

interface ToldRow {
  readonly leaf: number;
  readonly event_id: string;
  readonly event_hash: string;
  readonly event_type: string;
  readonly timestamp: string;
  readonly actor_id: string;
  readonly pruned: number;
  readonly account: string;
}

const accountRows = insertion({
  into: 'why_accounts',
  columns: ['leaf', 'event_id', 'project_id', 'actor_id', 'reading', 'account'],
  unless: 'on conflict do nothing',
});
const thingRows = insertion({
  into: 'why_things',
  columns: ['thing_id', 'kind', 'project_id', 'leaf'],
  unless: 'on conflict do nothing',
});

const PRUNED = 'case when e.payload is null then 1 else 0 end as pruned';

const TOLD = `select a.leaf, a.event_id, e.event_hash, e.event_type, e.timestamp, a.actor_id, ${PRUNED}, a.account
  from why_accounts a join events e on e.event_id = a.event_id`;

export async function readCursor(reader: Reader): Promise<number> {
  return (await reader.get<{ leaf: number }>('select leaf from why_cursor where id = 1'))?.leaf ?? -1;
}

/** Two processes may follow at once: what one has written, the other leaves. */
export async function insertTold(uow: UnitOfWork, told: readonly NewTold[], cursor: number): Promise<void> {
  await accountRows.run(
    uow,
    told.map(({ leaf, eventId, projectId, actorId, account }) => [
      leaf,
      eventId,
      projectId,
      actorId,
      account.reading ? 1 : 0,
      JSON.stringify(account),
    ]),
  );
  await thingRows.run(
    uow,
    told.flatMap(({ leaf, projectId, account }) =>
      account.about.map(({ kind, id }) => [id, kind, projectId, leaf]),
    ),
  );
  await uow.run('update why_cursor set leaf = ? where id = 1 and leaf < ?', [cursor, cursor]);
}

/** What is called by an id, and where; the same id may mean several things. */
export function selectCalled(
  reader: Reader,
  id: string,
): Promise<(Pick<Thing, 'kind'> & { readonly project_id: string })[]> {
  return reader.all(
    'select distinct kind, project_id from why_things where thing_id = ? order by kind, project_id limit 100',
    [id],
  );
}

export async function selectToldAbout(
  reader: Reader,
  projectId: string,
  { kind, id }: Thing,
  limit: number,
): Promise<Told[]> {
  const rows = await reader.all<ToldRow>(
    `${TOLD} join why_things t on t.leaf = a.leaf
     where t.thing_id = ? and t.kind = ? and t.project_id = ? order by a.leaf limit ?`,
    [id, kind, projectId, limit],
  );
  return rows.map(toldOf);
}

/** One event, whether or not it says anything of where things came from. */
export async function selectEvent(
  reader: Reader,
  eventId: string,
): Promise<{ readonly projectId: string; readonly told: Told } | undefined> {
  const row = await reader.get<Omit<ToldRow, 'account'> & { account: string | null; project_id: string }>(
    `select e.leaf, e.event_id, e.event_hash, e.event_type, e.timestamp, e.project_id, ${PRUNED},
       coalesce(a.actor_id, '') as actor_id, a.account
     from events e left join why_accounts a on a.event_id = e.event_id
     where e.event_id = ? and e.leaf is not null`,
    [eventId],
  );
  if (!row) return undefined;
  const account = row.account ?? JSON.stringify({ words: 'recorded', about: [], from: [] });
  return { projectId: row.project_id, told: toldOf({ ...row, account }) };
}

/** The last of each kind that was handed to an actor before a leaf, newest first. */
export async function selectReadingsBefore(
  reader: Reader,
  projectId: string,
  actorId: string,
  leaf: number,
  limit: number,
): Promise<Told[]> {
  const rows = await reader.all<ToldRow>(
    `${TOLD} where a.project_id = ? and a.actor_id = ? and a.reading = 1 and a.leaf < ?
     order by a.leaf desc limit ?`,
    [projectId, actorId, leaf, limit],
  );
  const last = new Map<string, Told>();
  for (const told of rows.map(toldOf)) if (!last.has(told.type)) last.set(told.type, told);
  return [...last.values()];
}

function toldOf(row: ToldRow): Told {
  return {
    leaf: row.leaf,
    eventId: row.event_id,
    hash: row.event_hash,
    type: row.event_type,
    at: row.timestamp,
    actorId: row.actor_id,
    pruned: row.pruned === 1,
    account: JSON.parse(row.account) as Account,
  };
}
