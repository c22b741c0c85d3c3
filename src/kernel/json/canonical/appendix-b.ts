import { pythonLexeme, pythonNumber } from './python-number.ts';
import { createCanonicalWriter } from './writer.ts';

/**
 * CRA Appendix B, of TRACE payloads: what Python's `json.dumps(value, sort_keys=True, separators=(',', ':'))` prints.
 * Throws `lossy_number` on what no double can hold.
 */
export const canonicalAppendixB = createCanonicalWriter({
  keyOrder: 'code-points',
  dropsNulls: false,
  quote: quoteAscii,
  number: pythonNumber,
  lexeme: pythonLexeme,
});

const NOT_PLAIN_ASCII = /[^ !#-[\]-~]/;
const ALL_NOT_PLAIN_ASCII = /[^ !#-[\]-~]/g;
const SHORT = 32;
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function quoteAscii(text: string): string {
  return `"${isPlainAscii(text) ? text : text.replace(ALL_NOT_PLAIN_ASCII, escapeUnit)}"`;
}

function isPlainAscii(text: string): boolean {
  if (text.length > SHORT) return !NOT_PLAIN_ASCII.test(text);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return false;
  }
  return true;
}

function escapeUnit(unit: string): string {
  return SHORT_ESCAPES[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
