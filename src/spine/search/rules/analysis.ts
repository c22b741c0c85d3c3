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

export const WEIGHT_UNITS = 4;
const MAX_WEIGHT = 100;

/**
 * Indexing happens in the commit that others wait for, so a document has a share of it: about 15,000 words, 2,000 of
 * them different. What is beyond is stored and read as ever, but found only by what stands before it.
 */
const MOST_TEXT = 100_000;
const MOST_PASSAGES = 500;
const MOST_WORDS = 2_000;

export function analyze(fields: readonly SearchField[]): Passage[] {
  const passages: Passage[] = [];
  const known = new Set<string>();
  let left = MOST_TEXT;
  // The shortest first: a long text does not crowd out a title or tags.
  const byLength = [...fields.entries()].sort(([, a], [, b]) => a.text.length - b.text.length);
  const isFull = () => passages.length >= MOST_PASSAGES || known.size >= MOST_WORDS || left === 0;
  for (const [field, { text: whole, weight = 1 }] of byLength) {
    if (isFull()) break;
    const units = Math.round(Math.min(Math.max(weight, 1 / WEIGHT_UNITS), MAX_WEIGHT) * WEIGHT_UNITS);
    for (const text of passagesOf(beginningOf(whole, left))) {
      if (isFull()) break;
      const { terms, words } = readText(text);
      const frequencies = count(terms);
      for (const term of frequencies.keys()) known.add(term);
      passages.push({ field, text, weight: units, length: terms.length, frequencies, words });
    }
    left = Math.max(0, left - whole.length);
  }
  return passages.sort((a, b) => a.field - b.field);
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
