/** Adds items to a list in a JSON text with comments and takes them out again, and changes not a character of the rest. */
import { asList } from '../../../kernel/json/loose.ts';
import {
  eolOf,
  maskJson,
  memberAt,
  memberSpan,
  ownIndent,
  removeMember,
  setMember,
  unitOf,
} from './json-edit.ts';

interface ItemSpan {
  readonly start: number;
  readonly end: number;
}

/** The text with the item at the end of the list at `path`; the list is made where it is missing. */
export function appendItem(text: string, path: readonly string[], item: unknown): string {
  const span = memberSpan(text, path);
  if (span === undefined || memberAt(text, path) === null) return setMember(text, path, [item]);
  const items = itemsIn(text, span.valueStart, span.valueEnd);
  const eol = eolOf(text);
  const last = items.at(-1);
  const outer = ownIndent(text, span.keyStart) ?? unitOf(text).repeat(path.length);
  const beside = last && ownIndent(text, last.start);
  // A list on one line stays on one line.
  if (last && beside === undefined) {
    return `${text.slice(0, last.end)}, ${JSON.stringify(item)}${text.slice(last.end)}`;
  }
  const indent = beside ?? outer + unitOf(text);
  const written = JSON.stringify(item, null, unitOf(text)).replaceAll('\n', eol + indent);
  if (last) return `${text.slice(0, last.end)},${eol}${indent}${written}${text.slice(last.end)}`;
  const open = span.valueStart + 1;
  const close = span.valueEnd - 1;
  const inside = text.slice(open, close).trimEnd();
  return `${text.slice(0, open)}${inside}${eol}${indent}${written}${eol}${outer}${text.slice(close)}`;
}

/** The text without the items of the list at `path` that `isOurs` picks. */
export function removeItems(
  text: string,
  path: readonly string[],
  isOurs: (item: unknown) => boolean,
): string {
  const span = memberSpan(text, path);
  if (span === undefined) return text;
  const values = asList(memberAt(text, path));
  const items = itemsIn(text, span.valueStart, span.valueEnd);
  let edited = text;
  for (let at = items.length - 1; at >= 0; at -= 1) {
    if (isOurs(values[at])) edited = cutItem(edited, items, at, span);
  }
  return edited;
}

/** Takes away the list at `path` if nothing is in it any more. */
export function dropEmpty(text: string, path: readonly string[]): string {
  const value = memberAt(text, path);
  const empty = JSON.stringify(value) === '[]' || JSON.stringify(value) === '{}';
  return empty ? removeMember(text, path) : text;
}

function cutItem(
  text: string,
  items: readonly ItemSpan[],
  at: number,
  span: { readonly valueStart: number; readonly valueEnd: number },
): string {
  const item = items[at]!;
  const before = items[at - 1];
  const next = items[at + 1];
  if (before) return text.slice(0, before.end) + text.slice(item.end);
  if (next) return text.slice(0, item.start) + text.slice(next.start);
  const close = text.indexOf(']', maskedGap(text, item.end, span.valueEnd));
  const head = text.slice(0, item.start).trimEnd();
  return head + text.slice(close);
}

/** Where the white space after an item ends: a comment or the bracket comes next. */
function maskedGap(text: string, from: number, end: number): number {
  const { strict } = maskJson(text);
  const found = strict.slice(from, end).search(/\]/);
  return found === -1 ? from : from + found;
}

function itemsIn(text: string, start: number, end: number): ItemSpan[] {
  const { strict } = maskJson(text);
  const items: ItemSpan[] = [];
  let depth = 0;
  let from = -1;
  for (let at = start; at < end; at += 1) {
    const char = strict[at]!;
    if (char === '"') {
      if (depth === 1 && from === -1) from = at;
      at += 1;
      while (at < end && strict[at] !== '"') at += strict[at] === '\\' ? 2 : 1;
      continue;
    }
    if (depth === 1 && from === -1 && !/[\s,\]]/.test(char)) from = at;
    if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
    if (from !== -1 && ((depth === 1 && char === ',') || depth === 0)) {
      items.push({ start: from, end: from + strict.slice(from, at).trimEnd().length });
      from = -1;
    }
  }
  return items;
}
