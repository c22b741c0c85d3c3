import { compactJson } from './compact.ts';

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
