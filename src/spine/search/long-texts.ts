import type { Task } from '../../platform/bounded-work/bounded-work.ts';
import { WorkNeeded } from '../../platform/bounded-work/work-needed.ts';
import { nodeHasher } from '../../platform/node-hasher.ts';
import type { UnitOfWork } from '../storage/database.ts';
import type { SearchField } from './document.ts';
import { isShort, withinLimits } from './rules/analysis.ts';
import { analyzePacked, type PackedAnalysis } from './rules/packed-analysis.ts';

type Fields = readonly SearchField[];

export const analyzeTextsTask: Task<readonly Fields[], readonly PackedAnalysis[]> = {
  name: 'search.analyze',
  run: (documents) => documents.map(analyzePacked),
};

/** Of the texts that one thread works on at once, and of the results that wait for their unit to run again. */
const MOST_AT_ONCE = 1_000_000;
const MOST_KEPT = 8_000_000;

interface Kept {
  readonly analysis: PackedAnalysis;
  readonly length: number;
}

interface Missing {
  readonly key: string;
  readonly fields: Fields;
}

/** Analyses of long texts, made in a thread before the unit that indexes them is run again; found by the text's digest. */
export class LongTexts {
  readonly #kept = new Map<string, Kept>();
  readonly #missing = Symbol('long texts that are not analysed yet');

  /** Undefined for a short text, and for one whose analysis the end of the unit will ask for. */
  find(uow: UnitOfWork, given: Fields): PackedAnalysis | undefined {
    if (isShort(given)) return undefined;
    const fields = withinLimits(given);
    const key = nodeHasher.hex(JSON.stringify(fields.map(({ name, text, weight }) => [name, text, weight])));
    const known = this.#kept.get(key);
    if (known) return known.analysis;
    const missing = uow.memo<Missing[]>(this.#missing, () => {
      uow.beforeCommit(async () => this.#ask(missing));
      return [];
    });
    missing.push({ key, fields });
    return undefined;
  }

  /** All that the unit needs in few goes: each time it runs again from the start. */
  #ask(missing: readonly Missing[]): void {
    let length = 0;
    const next = missing.filter(({ fields }, at) => {
      length += lengthOf(fields);
      return at === 0 || length <= MOST_AT_ONCE;
    });
    throw new WorkNeeded(
      analyzeTextsTask,
      next.map(({ fields }) => fields),
      (analyses) => {
        for (const [at, { key, fields }] of next.entries()) {
          const analysis = analyses[at];
          if (analysis) this.#keep(key, { analysis, length: lengthOf(fields) });
        }
      },
    );
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    let total = 0;
    for (const { length } of this.#kept.values()) total += length;
    for (const [oldest, { length }] of this.#kept) {
      if (total <= MOST_KEPT) break;
      this.#kept.delete(oldest);
      total -= length;
    }
  }
}

function lengthOf(fields: Fields): number {
  return fields.reduce((sum, { text }) => sum + text.length, 0);
}
