/** Facts that rules look at: `@facts/SUBJECT/PREDICATE` in a path, `in_fact` as a test. */
import { globMatcher } from '../../../../../kernel/glob.ts';
import { isRecord } from '../../../../../kernel/json/loose.ts';
import type { KnownFact } from './surroundings.ts';

export interface FactKey {
  readonly subject: string;
  readonly predicate: string;
}

export interface FactList extends FactKey {
  /** Whose word counts besides that of people. */
  readonly by: readonly string[];
}

export function sameKey(one: FactKey, other: FactKey): boolean {
  return one.subject === other.subject && one.predicate === other.predicate;
}

/** `{"subject": …, "predicate": …}`, with `by` where others than people may write the list. */
export function readFactList(operand: unknown): FactList | undefined {
  if (!isRecord(operand)) return undefined;
  const { subject, predicate, by = [], ...rest } = operand;
  const named = (value: unknown): value is string => typeof value === 'string' && value !== '';
  if (!named(subject) || !named(predicate) || Object.keys(rest).length > 0) return undefined;
  if (!Array.isArray(by) || !by.every(named)) return undefined;
  return { subject, predicate, by };
}

/**
 * The fact, if its author may say such a thing. An agent that could put itself on a list would, so only the word of a
 * person counts, or of those whom the rule names.
 */
export function trustedFact(facts: readonly KnownFact[] | undefined, list: FactList): KnownFact | undefined {
  const fact = facts?.find((each) => sameKey(each, list));
  if (!fact) return undefined;
  return fact.by.type === 'human' || list.by.some((glob) => globMatcher(glob)(fact.by.id)) ? fact : undefined;
}

/** A JSON array of texts, or texts between commas or line ends. */
export function listedIn(value: string): readonly string[] {
  if (value.trimStart().startsWith('[')) {
    try {
      const parsed: unknown = JSON.parse(value);
      if (Array.isArray(parsed))
        return parsed.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
    } catch {
      // Text that only begins like an array.
    }
  }
  return value
    .split(/[,\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
