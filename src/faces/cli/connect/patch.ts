/** One stretch of a text that was replaced by another. */
export interface Patch {
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
}

/** Anything shorter could be found by chance. */
const TELLING = 16;

/** Undefined where nothing telling was put in, so that nothing could be found again. */
export function patchBetween(before: string, after: string): Patch | undefined {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const inserted = after.slice(head, after.length - tail);
  if (inserted.length < TELLING) return undefined;
  return { at: head, removed: before.slice(head, before.length - tail), inserted };
}

/** The text without what was put in; undefined where it is no longer there, or there more than once. */
export function withoutPatch(text: string, { at, removed, inserted }: Patch): string | undefined {
  const found = text.startsWith(inserted, at) ? at : text.indexOf(inserted);
  if (found === -1 || (found !== at && text.indexOf(inserted, found + 1) !== -1)) return undefined;
  return text.slice(0, found) + removed + text.slice(found + inserted.length);
}
