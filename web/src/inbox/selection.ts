import { useState } from 'react';
import type { InboxItem } from './queries.ts';

/** Items as they were seen when they were chosen: their digests are what is decided. */
export type Chosen = ReadonlyMap<string, InboxItem>;

export interface Selection {
  readonly chosen: Chosen;
  toggle(items: readonly InboxItem[]): void;
  add(items: readonly InboxItem[]): void;
  remove(ids: readonly string[]): void;
  clear(): void;
}

export function useSelection(): Selection {
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const change = (by: (next: Map<string, InboxItem>) => void) =>
    setChosen((before) => {
      const next = new Map(before);
      by(next);
      return next;
    });
  const add = (items: readonly InboxItem[]) =>
    change((next) => {
      for (const item of items) if (item.can_decide) next.set(item.id, item);
    });
  const remove = (ids: readonly string[]) =>
    change((next) => {
      for (const id of ids) next.delete(id);
    });
  return {
    chosen,
    add,
    remove,
    /** All of them in, unless all of them are. */
    toggle(items) {
      if (items.every(({ id }) => chosen.has(id))) remove(items.map(({ id }) => id));
      else add(items);
    },
    clear: () => setChosen(new Map()),
  };
}
