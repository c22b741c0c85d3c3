import type { Micros } from '../../kernel/clock.ts';
import type { Reader } from '../storage/database.ts';
import type { GroupSort, InboxItem } from './item.ts';
import { conditionOf, type ItemFilter, KEYS, marks, type Place } from './list-store.ts';
import { ITEM_COLUMNS, type ItemRow, itemOf } from './store.ts';

/** Requests that are alike, or one that stands alone. */
export interface ItemGroup {
  readonly count: number;
  /** The one that comes first. */
  readonly first: InboxItem;
  readonly place: Place;
}

const GROUP = 'coalesce(like_key, item_id)';

/**
 * Groups are made by the engine, so that a page of them is true however many items there are. The items of one group
 * are listed by its `like`.
 */
export async function selectGroups(
  reader: Reader,
  filter: ItemFilter & { readonly sort: GroupSort },
  now: Micros,
): Promise<ItemGroup[]> {
  const found = await conditionOf(reader, filter, now);
  if (!found) return [];
  const key = KEYS[filter.sort];
  const { from } = filter;
  const beyond = from ? `having min(${key}) > ? or (min(${key}) = ? and min(seq) > ?)` : '';
  const groups = await reader.all<{ grp: string; items: number; place: number; first_seq: number }>(
    `select ${GROUP} as grp, count(*) as items, min(${key}) as place, min(seq) as first_seq from inbox_items
     where ${found.where} group by ${GROUP} ${beyond} order by min(${key}), min(seq) limit ?`,
    [...found.params, ...(from ? [from.key, from.key, from.seq] : []), filter.limit],
  );
  if (groups.length === 0) return [];
  const rows = await reader.all<ItemRow & { grp: string }>(
    `select * from (
       select ${ITEM_COLUMNS}, ${GROUP} as grp, row_number() over (partition by ${GROUP} order by ${key}, seq) as nth
       from inbox_items where ${found.where} and ${GROUP} in (${marks(groups)})
     ) as ranked where nth = 1`,
    [...found.params, ...groups.map(({ grp }) => grp)],
  );
  const firsts = new Map(rows.map((row) => [row.grp, itemOf(row)]));
  return groups.flatMap(({ grp, items, place, first_seq: seq }) => {
    const first = firsts.get(grp);
    return first ? [{ count: Number(items), first, place: { key: Number(place), seq: Number(seq) } }] : [];
  });
}

export async function countGroups(reader: Reader, filter: ItemFilter, now: Micros): Promise<number> {
  const found = await conditionOf(reader, filter, now);
  if (!found) return 0;
  const row = await reader.get<{ count: number }>(
    `select count(distinct ${GROUP}) as count from inbox_items where ${found.where}`,
    found.params,
  );
  return Number(row?.count ?? 0);
}
