import { type EventHead, selectEventHeads } from '../journal/events/event-store.ts';
import type { Account, Thing } from '../journal/provenance.ts';
import type { Reader, UnitOfWork } from '../storage/database.ts';
import { insertion } from '../storage/insertion.ts';

/** An event, and what it says of where something came from. */
export interface AccountedEvent {
  readonly leaf: number;
  readonly eventId: string;
  readonly hash: string;
  readonly type: string;
  readonly at: string;
  readonly actorId: string;
  /** Retention has dropped its payload; the hash remains, and the account is kept here. */
  readonly pruned: boolean;
  readonly account: Account;
}

export interface NewAccount {
  readonly leaf: number;
  readonly eventId: string;
  readonly projectId: string;
  readonly actorId: string;
  readonly account: Account;
}

interface AccountRow {
  readonly event_id: string;
  readonly actor_id: string;
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

const ACCOUNTS = 'select a.event_id, a.actor_id, a.account from why_accounts a';

const CURSOR = 'select leaf from why_cursor where id = 1';

export async function readCursor(reader: Reader): Promise<number> {
  return (await reader.get<{ leaf: number }>(CURSOR))?.leaf ?? -1;
}

/** Two processes may follow at once: one waits for the other, and leaves what that has written. */
export async function insertAccounts(
  uow: UnitOfWork,
  read: readonly NewAccount[],
  cursor: number,
): Promise<void> {
  const known = await uow.lockedGet<{ leaf: number }>(['why/accounts'], CURSOR);
  const written = known?.leaf ?? -1;
  if (written >= cursor) return;
  const accounts = read.filter(({ leaf }) => leaf > written);
  await accountRows.run(
    uow,
    accounts.map(({ leaf, eventId, projectId, actorId, account }) => [
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
    accounts.flatMap(({ leaf, projectId, account }) =>
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

export async function selectEventsAbout(
  reader: Reader,
  projectId: string,
  { kind, id }: Thing,
  limit: number,
): Promise<AccountedEvent[]> {
  const rows = await reader.all<AccountRow>(
    `${ACCOUNTS} join why_things t on t.leaf = a.leaf
     where t.thing_id = ? and t.kind = ? and t.project_id = ? order by a.leaf limit ?`,
    [id, kind, projectId, limit],
  );
  return withEvents(reader, rows);
}

/** One event, whether or not it says anything of where things came from. */
export async function selectEvent(
  reader: Reader,
  eventId: string,
): Promise<{ readonly projectId: string; readonly event: AccountedEvent } | undefined> {
  const [head] = await selectEventHeads(reader, [eventId]);
  if (!head) return undefined;
  const row = await reader.get<AccountRow>(`${ACCOUNTS} where a.event_id = ?`, [eventId]);
  const none = JSON.stringify({ words: 'recorded', about: [], from: [] });
  const account = row ?? { event_id: eventId, actor_id: '', account: none };
  return { projectId: head.project_id, event: accountedEvent(head, account) };
}

/** The last of each type that was handed to an actor before a leaf, newest first. */
export async function selectReadingsBefore(
  reader: Reader,
  projectId: string,
  actorId: string,
  leaf: number,
  limit: number,
): Promise<AccountedEvent[]> {
  const rows = await reader.all<AccountRow>(
    `${ACCOUNTS} where a.project_id = ? and a.actor_id = ? and a.reading = 1 and a.leaf < ?
     order by a.leaf desc limit ?`,
    [projectId, actorId, leaf, limit],
  );
  const last = new Map<string, AccountedEvent>();
  for (const event of await withEvents(reader, rows)) if (!last.has(event.type)) last.set(event.type, event);
  return [...last.values()];
}

/** In the order of the accounts. */
async function withEvents(reader: Reader, rows: readonly AccountRow[]): Promise<AccountedEvent[]> {
  const heads = await selectEventHeads(
    reader,
    rows.map((row) => row.event_id),
  );
  const byId = new Map(heads.map((head) => [head.event_id, head]));
  return rows.flatMap((row) => {
    const head = byId.get(row.event_id);
    return head ? [accountedEvent(head, row)] : [];
  });
}

function accountedEvent(head: EventHead, { actor_id, account }: AccountRow): AccountedEvent {
  return {
    leaf: head.leaf,
    eventId: head.event_id,
    hash: head.event_hash,
    type: head.event_type,
    at: head.timestamp,
    actorId: actor_id,
    pruned: head.pruned === 1,
    account: JSON.parse(account) as Account,
  };
}
