import { useRef } from 'react';
import type { Params } from '../search-params.ts';
import { useWide } from '../ui/use-wide.ts';
import { type Row, rowKey } from './rows.ts';

/**
 * The row that the keyboard stands on, -1 for none. Beside a list there is room for an item: until one is chosen it is the
 * first, and it stays the same one when something more urgent comes in above it.
 */
export function useCurrentRow(rows: readonly Row[], { row, item }: Params): number {
  const wide = useWide();
  const first = useRef<string>(undefined);
  const chosen = rows.findIndex((each) => rowKey(each) === row);
  if (chosen >= 0) return chosen;
  if (item !== undefined) return rows.findIndex((each) => each.item.id === item);
  if (!wide || rows.length === 0) return -1;
  const kept = rows.findIndex((each) => rowKey(each) === first.current);
  if (kept < 0) first.current = rows[0] && rowKey(rows[0]);
  return Math.max(0, kept);
}
