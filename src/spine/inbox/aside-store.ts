import type { Micros } from '../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../storage/database.ts';

/** One person has put an item aside: until a time, or into another person's hands. */
export interface Aside {
  readonly itemId: string;
  readonly actorId: string;
  readonly until: Micros | null;
  readonly untilAt: string | null;
  readonly handedTo: string | null;
  readonly setAt: string;
}

/** The last word counts. */
export async function putAside(uow: UnitOfWork, aside: Aside): Promise<void> {
  await uow.run(
    `insert into inbox_asides (item_id, actor_id, until_us, until_at, handed_to, set_at) values (?, ?, ?, ?, ?, ?)
     on conflict (item_id, actor_id) do update
       set until_us = excluded.until_us, until_at = excluded.until_at, handed_to = excluded.handed_to,
         set_at = excluded.set_at`,
    [aside.itemId, aside.actorId, aside.until, aside.untilAt, aside.handedTo, aside.setAt],
  );
}

/** False where this person had not put it aside. */
export async function bringBack(uow: UnitOfWork, itemId: string, actorId: string): Promise<boolean> {
  const deleted = await uow.run('delete from inbox_asides where item_id = ? and actor_id = ?', [
    itemId,
    actorId,
  ]);
  return deleted === 1;
}

/** What this person has put aside of these items, and what others have handed to them. */
export async function selectAsides(
  reader: Reader,
  itemIds: readonly string[],
  actorId: string,
): Promise<Aside[]> {
  if (itemIds.length === 0) return [];
  const rows = await reader.all<{
    item_id: string;
    actor_id: string;
    until_us: number | null;
    until_at: string | null;
    handed_to: string | null;
    set_at: string;
  }>(
    `select item_id, actor_id, until_us, until_at, handed_to, set_at from inbox_asides
     where item_id in (${itemIds.map(() => '?').join(', ')}) and (actor_id = ? or handed_to = ?)
     order by set_at desc`,
    [...itemIds, actorId, actorId],
  );
  return rows.map((row) => ({
    itemId: row.item_id,
    actorId: row.actor_id,
    until: row.until_us,
    untilAt: row.until_at,
    handedTo: row.handed_to,
    setAt: row.set_at,
  }));
}
