import { jsonErrors } from './errors.ts';

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
];

/**
 * Throws `too_deep` for a text that nests deeper, before anything else reads it: `JSON.parse` takes any depth, and what walks
 * the value afterwards does not. Whether the text is JSON is not looked at.
 */
export function requireShallow(text: string, most = 64): void {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = closingQuote(text, at);
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1;
      if (depth > most) throw jsonErrors.too_deep({ message: `The value is nested more than ${most} deep.` });
    }
  }
}

function closingQuote(text: string, opening: number): number {
  let at = opening + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
