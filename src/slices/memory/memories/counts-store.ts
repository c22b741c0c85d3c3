import type { Reader } from '../../../spine/storage/database.ts';
import { MEMORY_TYPES, type MemoryType } from '../categories.ts';

/** How much a profile holds: what lists show a page of, counted in all. */
export async function countProfile(reader: Reader, did: string, now: number) {
  const rows = await reader.all<{ type: MemoryType; n: number }>(
    `select memory_classes.type, count(*) as n from memory_items
       join memory_classes on memory_classes.class_id = memory_items.class_id
     where memory_items.profile_did = ? group by memory_classes.type order by memory_classes.type`,
    [did],
  );
  const found = new Map(rows.map(({ type, n }) => [type, Number(n)]));
  const count = async (sql: string, ...params: (string | number)[]) =>
    Number((await reader.get<{ n: number }>(sql, params))?.n ?? 0);
  return {
    memories: Object.fromEntries(MEMORY_TYPES.map((type) => [type, found.get(type) ?? 0])) as Record<
      MemoryType,
      number
    >,
    proposals: await count(
      "select count(*) as n from memory_proposals where profile_did = ? and status = 'pending' and expires_us > ?",
      did,
      now,
    ),
    policies: await count('select count(*) as n from memory_policies where profile_did = ?', did),
    receipts: await count('select count(*) as n from memory_receipts where profile_did = ?', did),
  };
}
