export interface JsonToken {
  readonly kind: 'key' | 'text' | 'number' | 'word' | 'mark';
  readonly text: string;
}

const PARTS = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)|([^"\d\w-]+)/g;

/** Indented JSON in pieces that can be coloured; together they are the text. */
export function jsonTokens(value: unknown): JsonToken[] {
  const text = JSON.stringify(value, null, 2) ?? 'undefined';
  const tokens: JsonToken[] = [];
  for (const [whole, quoted, colon, number, word] of text.matchAll(PARTS)) {
    if (quoted !== undefined && colon !== undefined) {
      tokens.push({ kind: 'key', text: quoted }, { kind: 'mark', text: colon });
    } else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else tokens.push({ kind: 'mark', text: whole });
  }
  return tokens;
}
