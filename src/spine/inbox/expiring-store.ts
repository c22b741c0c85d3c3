import type { Micros } from '../../kernel/clock.ts';
import type { Reader } from '../storage/database.ts';
import type { Risk } from './item.ts';

export interface ExpiringItem {
  readonly itemId: string;
  readonly projectId: string;
  readonly risk: Risk;
}

/** Open items whose time ends after one moment and not after another one. */
export async function selectExpiring(reader: Reader, after: Micros, until: Micros): Promise<ExpiringItem[]> {
  const rows = await reader.all<{ item_id: string; project_id: string; risk: Risk }>(
    `select item_id, project_id, risk from inbox_items
     where state = 'open' and expires_us > ? and expires_us <= ? order by expires_us, seq`,
    [after, until],
  );
  return rows.map((row) => ({ itemId: row.item_id, projectId: row.project_id, risk: row.risk }));
}
