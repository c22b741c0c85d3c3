import { apart } from '../../../kernel/apart.ts';
import { visitCompounds } from './compounds.ts';
import { porterStem } from './porter.ts';

/** A term as stored in the index, and its position in the NFC text. */
export interface Token {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** Longer runs (encoded bytes, minified code) are keys of nothing that anybody types. */
const MAX_TERM = 64;

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
export function tokenize(text: string): Token[] {
  const normal = toNfc(text);
  const tokens: Token[] = [];
  visitCompounds(normal, (start, end, plain) => {
    const match = normal.slice(start, end);
    if (plain) tokens.push({ term: termOf(match), start, end });
    else for (const term of readCompound(match).terms) tokens.push({ term, start, end });
  });
  return tokens;
}

export interface Reading {
  readonly terms: readonly string[];
  /** Single words in lower case, not stemmed, compounds only as their parts: the keys of word vectors. */
  readonly words: readonly string[];
}

/** Both at once, because finding where words begin and end is most of the work. */
export function readText(text: string): Reading {
  const normal = toNfc(text);
  const terms: string[] = [];
  const words: string[] = [];
  visitCompounds(normal, (start, end, plain) => {
    const match = normal.slice(start, end);
    if (plain) {
      const { term, word } = wordOf(match);
      terms.push(term);
      words.push(word);
      return;
    }
    const compound = readCompound(match);
    for (const term of compound.terms) terms.push(term);
    for (const word of compound.words) words.push(word);
  });
  return { terms, words };
}

export function termsIn(text: string): readonly string[] {
  return readText(text).terms;
}

export function wordsIn(text: string): readonly string[] {
  return readText(text).words;
}

/** Nothing below the first combining mark is ever composed, and most texts have nothing above. */
function toNfc(text: string): string {
  return /[\u0300-\uffff]/.test(text) ? text.normalize('NFC') : text;
}

/** Numbers, contractions and abbreviations recur; longer words seldom do, and would keep their source text alive. */
const rememberedCompounds = new Map<string, Reading>();
const REMEMBERED_LENGTH = 12;

function readCompound(match: string): Reading {
  const known = rememberedCompounds.get(match);
  if (known !== undefined) return known;
  const spelled = spoken(match);
  const parts = partsOf(spelled);
  const terms = parts.flatMap((part) => (UNSPACED.test(part) ? pairsOf(part) : [termOf(part)]));
  const compound = {
    terms: parts.length > 1 ? [termOf(spelled), ...terms] : terms,
    words: parts.map((part) => fold(part.toLowerCase())),
  };
  if (match.length <= REMEMBERED_LENGTH) {
    if (rememberedCompounds.size >= REMEMBERED_MAX) rememberedCompounds.clear();
    rememberedCompounds.set(match, compound);
  }
  return compound;
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

interface Word {
  /** The index's key of it. */
  readonly term: string;
  /** In lower case. */
  readonly word: string;
}

/** Words repeat so much that remembering them is most of the speed; the bound keeps a flood of noise out. */
const remembered = new Map<string, Word>();
const REMEMBERED_MAX = 50_000;

function wordOf(match: string): Word {
  if (match.length > MAX_TERM) {
    return { term: cut(fold(match.slice(0, 2 * MAX_TERM).toLowerCase())), word: match.toLowerCase() };
  }
  const known = remembered.get(match);
  if (known !== undefined) return known;
  const own = apart(match);
  const word = own.toLowerCase();
  const read = { term: cut(porterStem(fold(word))), word };
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(own, read);
  return read;
}

/** The index's key of one word. */
export function termOf(word: string): string {
  return wordOf(word).term;
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
