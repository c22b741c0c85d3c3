import { utf8Length } from '../../../kernel/json/utf8.ts';

export interface Fitted<T> {
  readonly kept: readonly T[];
  readonly bytes: number;
  readonly dropped: number;
}

/** The first items that fit. One that is too large is skipped, not truncated: half a document can mislead. */
export function withinBudget<T>(items: readonly T[], textOf: (item: T) => string, budget: number): Fitted<T> {
  const kept: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = utf8Length(textOf(item)) + 1;
    if (bytes + size > budget) continue;
    kept.push(item);
    bytes += size;
  }
  return { kept, bytes, dropped: items.length - kept.length };
}
