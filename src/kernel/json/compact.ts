import type { JsonDocument } from './reader.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The same tokens without whitespace between them. The text must have been read before: nothing is checked here. */
export function compactJson(text: string): string {
  let compact = '';
  let kept = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (isSpace(code)) {
      compact += text.slice(kept, at);
      do at += 1;
      while (isSpace(text.charCodeAt(at)));
      kept = at;
    } else {
      at += 1;
    }
  }
  return kept === 0 ? text : compact + text.slice(kept);
}

/**
 * The compact text of an object with top-level members replaced (by the JSON text given), removed (null), or added at the
 * end. Members that are not named keep every token as written.
 */
export function spliceMembers(doc: JsonDocument, changes: ReadonlyMap<string, string | null>): string {
  const members: string[] = [];
  for (const [key, span] of doc.members) {
    const change = changes.get(key);
    if (change === undefined) members.push(compactJson(doc.text.slice(span.keyStart, span.valueEnd)));
    else if (change !== null) members.push(memberText(key, change));
  }
  for (const [key, change] of changes) {
    if (change !== null && !doc.members.has(key)) members.push(memberText(key, change));
  }
  return `{${members.join(',')}}`;
}

function memberText(key: string, value: string): string {
  return `${JSON.stringify(key)}:${compactJson(value)}`;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || at >= text.length) return at + 1;
    at += code === BACKSLASH ? 2 : 1;
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The items of an array, each as it was written. The text must have been read before: nothing is checked here. */
export function arrayItems(text: string): string[] {
  const compact = compactJson(text);
  const items: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 0; at < compact.length; at += 1) {
    const char = compact[at];
    if (char === '"') at = closingQuote(compact, at);
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
    const ends = (depth === 1 && char === ',') || depth === 0;
    if (!ends) continue;
    if (at > start) items.push(compact.slice(start, at));
    start = at + 1;
  }
  return items;
}

function closingQuote(text: string, opening: number): number {
  let at = opening + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
