import { porterStem } from './porter.ts';

/** A term as it stands in the index, and where in the NFC text it was read. */
export interface Token {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** Longer runs (encoded bytes, minified code) are keys of nothing that anybody types. */
const MAX_TERM = 64;

/** Words that a single connector ties together: identifiers, paths, addresses, dates, numbers, contractions. */
const COMPOUND =
  /\p{L}(?:\+\+|#)(?![\p{L}\p{N}])|\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|[\p{L}\p{M}\p{N}]+(?:(?:[_\-./\\:@]{1,2}|['’])[\p{L}\p{M}\p{N}]+)*/gu;
/** Apostrophes of contractions and commas of thousands: people leave them out. */
const OPTIONAL = /['’,]/g;
const POSSESSIVE = /['’]s$/i;
const CONNECTORS = /[_\-./\\:@]+/;
const CAMEL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Reads terms in order. An identifier such as `snake_case`, `camelCase` or `src/app.ts` yields itself and its parts,
 * so that it is found by either; text of scripts written without spaces yields pairs of characters.
 */
export function* tokenize(text: string): Generator<Token> {
  const normal = text.normalize('NFC');
  for (const match of normal.matchAll(COMPOUND)) {
    const start = match.index;
    const end = start + match[0].length;
    if (PLAIN.test(match[0])) yield { term: termOf(match[0]), start, end };
    else for (const term of termsOf(match[0])) yield { term, start, end };
  }
}

export function termsIn(text: string): string[] {
  const terms: string[] = [];
  for (const [match] of text.normalize('NFC').matchAll(COMPOUND)) {
    if (PLAIN.test(match)) terms.push(termOf(match));
    else for (const term of termsOf(match)) terms.push(term);
  }
  return terms;
}

/** Single words in lower case, not stemmed, compounds only as their parts: the keys of word vectors. */
export function wordsIn(text: string): string[] {
  const words: string[] = [];
  for (const [match] of text.normalize('NFC').matchAll(COMPOUND)) {
    if (PLAIN.test(match)) words.push(match.toLowerCase());
    else for (const part of partsOf(spoken(match))) words.push(fold(part.toLowerCase()));
  }
  return words;
}

/** Most words of English: nothing to split, fold or drop. */
const PLAIN = /^[A-Za-z][a-z]*$/;

function termsOf(match: string): readonly string[] {
  const compound = spoken(match);
  const parts = partsOf(compound);
  const terms = parts.flatMap((part) => (UNSPACED.test(part) ? pairsOf(part) : [termOf(part)]));
  return parts.length > 1 ? [termOf(compound), ...terms] : terms;
}

function spoken(match: string): string {
  return match.replace(POSSESSIVE, '').replace(OPTIONAL, '');
}

function partsOf(compound: string): string[] {
  return compound.split(CONNECTORS).flatMap((part) => part.split(CAMEL));
}

function pairsOf(run: string): string[] {
  const characters = [...run.toLowerCase()];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Stems repeat so much that remembering them is most of the speed; the bound keeps a flood of noise out. */
const remembered = new Map<string, string>();
const REMEMBERED_MAX = 50_000;

/** The index's key of one word. */
export function termOf(word: string): string {
  if (word.length > MAX_TERM) return cut(fold(word.slice(0, 2 * MAX_TERM).toLowerCase()));
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const term = cut(porterStem(fold(word.toLowerCase())));
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(word, term);
  return term;
}

function cut(term: string): string {
  return term.length <= MAX_TERM ? term : term.slice(0, MAX_TERM).replace(/[\ud800-\udbff]$/, '');
}

/** `café` is typed `cafe` too; marks of other scripts carry meaning and stay. */
function fold(word: string): string {
  if (!/[\u0080-\u024f\u1e00-\u1eff]/.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin}\p{M}*)\p{M}/gu, '')
    .normalize('NFC');
}
