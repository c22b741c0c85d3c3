import { pythonLexeme, pythonNumber } from './python-number.ts';
import { createCanonicalWriter } from './writer.ts';

const PLAIN_ASCII = /^[ !#-[\]-~]*$/;
const BEYOND_ASCII = /[\u007f-\uffff]/;
const ALL_BEYOND_ASCII = /[\u007f-\uffff]/g;

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

/** `JSON.stringify` escapes as Python does (half surrogate pairs too), except for what is beyond ASCII. */
function quoteAscii(text: string): string {
  if (PLAIN_ASCII.test(text)) return `"${text}"`;
  const quoted = JSON.stringify(text);
  return BEYOND_ASCII.test(quoted) ? quoted.replace(ALL_BEYOND_ASCII, escapeUnit) : quoted;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
