import { type Deadline, deadlineOf } from '../home/deadline.ts';
import type { InboxItem, ItemGroup } from './queries.ts';

/** What stands in the list: a request or several alike, and the requests of a group that is open. */
export type Row =
  | { readonly kind: 'group'; readonly group: ItemGroup; readonly item: InboxItem }
  | { readonly kind: 'member'; readonly item: InboxItem };

export interface Section {
  readonly deadline: Deadline;
  readonly rows: readonly Row[];
}

/** Groups by the time that is left for the first of each, with the members of those that are open. */
export function sectionsOf(
  groups: readonly ItemGroup[],
  membersOf: (like: string) => readonly InboxItem[] | undefined,
  now: number,
): Section[] {
  const sections = new Map<Deadline, Row[]>();
  for (const group of groups) {
    const item = group.first;
    const deadline = deadlineOf(item.expires_at, now);
    const rows = sections.get(deadline) ?? [];
    sections.set(deadline, rows);
    rows.push({ kind: 'group', group, item });
    if (group.count > 1 && item.like !== null) {
      for (const member of membersOf(item.like) ?? []) rows.push({ kind: 'member', item: member });
    }
  }
  return [...sections].map(([deadline, rows]) => ({ deadline, rows }));
}

/** One row has one key; the first item of an open group stands in it twice. */
export function rowKey(row: Row): string {
  return row.kind === 'member' ? `member ${row.item.id}` : (row.item.like ?? row.item.id);
}
