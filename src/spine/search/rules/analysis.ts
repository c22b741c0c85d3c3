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

export function analyze(fields: readonly SearchField[]): Passage[] {
  const passages: Passage[] = [];
  for (const [field, { text: whole, weight = 1 }] of fields.entries()) {
    const units = Math.round(Math.min(Math.max(weight, 1 / WEIGHT_UNITS), MAX_WEIGHT) * WEIGHT_UNITS);
    for (const text of passagesOf(whole)) {
      const { terms, words } = readText(text);
      passages.push({ field, text, weight: units, length: terms.length, frequencies: count(terms), words });
    }
  }
  return passages;
}

function count(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
