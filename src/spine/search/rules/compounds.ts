// For speed: splitting a text takes 1.2 times as long with the expression alone.
/** Words that a single connector ties together: identifiers, paths, addresses, dates, numbers, contractions. */
export const COMPOUND =
  /\p{L}(?:\+\+|#)(?![\p{L}\p{N}])|\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|[\p{L}\p{M}\p{N}]+(?:(?:[_\-./\\:@]{1,2}|['’])[\p{L}\p{M}\p{N}]+)*/u;
const COMPOUND_HERE = new RegExp(COMPOUND.source, 'uy');

/** `plain` are most words of English, `[A-Za-z][a-z]*`: nothing to split, fold or drop. */
export type CompoundVisitor = (start: number, end: number, plain: boolean) => void;

/**
 * Visits all that `COMPOUND` matches, in order. The expression defines what that is, but asking it for every word cost
 * more than all that is done with the words: a loop tells plain words, and the expression is asked about the rest.
 */
export function visitCompounds(text: string, visit: CompoundVisitor): void {
  let at = 0;
  while (at < text.length) {
    const kind = kindAt(text, at);
    if (kind < LOWER) {
      at += 1;
      continue;
    }
    let end = kind === UNKNOWN ? at : endOfPlain(text, at);
    const plain = end > at;
    if (!plain) end = endOfCompound(text, at);
    if (end > at) visit(at, end, plain);
    else end = at + ((text.codePointAt(at) as number) > 0xffff ? 2 : 1);
    at = end;
  }
}

function endOfCompound(text: string, start: number): number {
  COMPOUND_HERE.lastIndex = start;
  return COMPOUND_HERE.test(text) ? COMPOUND_HERE.lastIndex : start;
}

/** `start` if the letter there may begin something else than a plain word. */
function endOfPlain(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isLower(text.charCodeAt(end))) end += 1;
  let next = kindAt(text, end);
  if (next === SIGN) return end > start + 1 ? end : start;
  if (next === APOSTROPHE) next = kindAt(text, end + 1);
  else if (next === CONNECTOR) {
    next = kindAt(text, end + 1);
    if (next === CONNECTOR) next = kindAt(text, end + 2);
  }
  return next < LOWER ? end : start;
}

function isLower(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

/** What ends a word comes before what may go on with it. */
const BORDER = 0;
const CONNECTOR = 1;
const APOSTROPHE = 2;
/** Of `C++` and `C#`. */
const SIGN = 3;
const LOWER = 4;
const UPPER = 5;
/** Digits, and what is not ASCII: left to the expression. */
const UNKNOWN = 6;

const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/\d/.test(character)) return UNKNOWN;
  if (/[_\-./\\:@]/.test(character)) return CONNECTOR;
  if (character === "'") return APOSTROPHE;
  return /[+#]/.test(character) ? SIGN : BORDER;
});

function kindAt(text: string, at: number): number {
  if (at >= text.length) return BORDER;
  const code = text.charCodeAt(at);
  if (code < 128) return ASCII_KINDS[code] as number;
  if (code === 0x2019) return APOSTROPHE;
  // Dashes, quotation marks and ellipses, as people write them beside English words.
  return code >= 0x2010 && code <= 0x2027 ? BORDER : UNKNOWN;
}
