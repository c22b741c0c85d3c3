import type { SearchField } from '../document.ts';
import { passagesOf } from './passages.ts';
import { readText } from './tokenize.ts';

/** A stretch of a field that is scored by itself. */
export interface Passage {
  /** Which of the document's fields it belongs to. */
  readonly field: number;
  readonly text: string;
  /** In quarters: whole numbers, so that sums over a project stay exact when documents come and go. */
  readonly weight: number;
  /** How many terms it has, repetitions counted. */
  readonly length: number;
  readonly frequencies: ReadonlyMap<string, number>;
  /** As an embedder takes them that goes by words. */
  readonly words: readonly string[];
}

export interface Analysis {
  readonly passages: readonly Passage[];
  /** False where the document has more text than is indexed. */
  readonly whole: boolean;
}

export const WEIGHT_UNITS = 4;
const MAX_WEIGHT = 100;

/**
 * What a commit can take in of one document while others wait for it: a book of some 100,000 words, 20,000 of them
 * different. What is beyond is stored and read as ever, but found only by what stands before it; the author is told.
 */
const MOST_TEXT = 600_000;
const MOST_PASSAGES = 500;
const MOST_WORDS = 20_000;

/** What is longer is analysed in a thread, before the unit of work: to read this much takes some ten milliseconds. */
const SHORT_TEXT = 32_000;
const FEW_FIELDS = 200;

export function isShort(fields: readonly SearchField[]): boolean {
  if (fields.length > FEW_FIELDS) return false;
  return fields.reduce((sum, { text }) => sum + text.length, 0) <= SHORT_TEXT;
}

/** The same fields without what no analysis would look at; so large a text need not be handed to a thread. */
export function withinLimits(fields: readonly SearchField[]): readonly SearchField[] {
  return fields.map((field) =>
    field.text.length > MOST_TEXT + 1 ? { ...field, text: field.text.slice(0, MOST_TEXT + 1) } : field,
  );
}

/** `turns`: whether conversations are split at their turns, as they were not always. */
export function analyze(fields: readonly SearchField[], turns = true): Analysis {
  return analyzeEach(fields, (passage) => passage, turns);
}

/** `kept` makes something smaller of each passage, for a text whose passages together are large. */
export function analyzeEach<P extends Pick<Passage, 'field'>>(
  fields: readonly SearchField[],
  kept: (passage: Passage) => P,
  turns = true,
): { readonly passages: readonly P[]; readonly whole: boolean } {
  const passages: P[] = [];
  const known = new Set<string>();
  let left = MOST_TEXT;
  let whole = true;
  // The shortest first: a long text does not crowd out a title or tags.
  const byLength = [...fields.entries()].sort(([, a], [, b]) => a.text.length - b.text.length);
  const isFull = () => passages.length >= MOST_PASSAGES || known.size >= MOST_WORDS || left === 0;
  for (const [field, { text: given, weight = 1 }] of byLength) {
    const units = Math.round(Math.min(Math.max(weight, 1 / WEIGHT_UNITS), MAX_WEIGHT) * WEIGHT_UNITS);
    if (given.length > left) whole = false;
    for (const text of isFull() ? [] : passagesOf(beginningOf(given, left), undefined, turns)) {
      if (isFull()) {
        whole = false;
        break;
      }
      const { terms, words } = readText(text);
      const frequencies = count(terms);
      for (const term of frequencies.keys()) known.add(term);
      passages.push(kept({ field, text, weight: units, length: terms.length, frequencies, words }));
    }
    if (isFull() && given !== '' && passages.at(-1)?.field !== field) whole = false;
    left = Math.max(0, left - given.length);
  }
  return { passages: passages.sort((a, b) => a.field - b.field), whole };
}

/** Not in the middle of a character. */
function beginningOf(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

function count(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
