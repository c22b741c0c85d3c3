/** The operand of tests on text: one text, several of which one must fit, or either with `ignore_case`. */
import { asRecord, isRecord } from '../../../../../kernel/json/loose.ts';
import type { Check } from './operator.ts';
import { agreed, type Outcome, some } from './outcome.ts';
import { plainText } from './plain-text.ts';

export interface Texts {
  readonly of: readonly string[];
  readonly ignoreCase: boolean | undefined;
}

export const TEXTS_NEEDED = 'needs text, an array of texts, or {"of": …, "ignore_case": true}';

export function readTexts(operand: unknown): Texts | undefined {
  const written = isRecord(operand) ? operand : { of: operand };
  if (Object.keys(written).some((key) => key !== 'of' && key !== 'ignore_case')) return undefined;
  const { of, ignore_case: ignoreCase } = asRecord(written);
  const list = typeof of === 'string' ? [of] : of;
  if (ignoreCase !== undefined && typeof ignoreCase !== 'boolean') return undefined;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  if (!list.every((each) => typeof each === 'string' && each !== '')) return undefined;
  return { of: list, ignoreCase };
}

/** One test for each text, or what is wrong with one of them. A value fits if one of the tests says so. */
export function someText<V>(
  operand: unknown,
  compile: (text: string, ignoreCase: boolean) => ((value: V) => Outcome) | string,
  judge: (value: unknown, tests: (value: V) => Outcome) => Outcome,
): Check | string {
  const texts = readTexts(operand);
  if (!texts) return TEXTS_NEEDED;
  const tests: ((value: V) => Outcome)[] = [];
  for (const text of texts.of) {
    const test = compile(text, texts.ignoreCase === true);
    if (typeof test === 'string') return test;
    tests.push(test);
  }
  return (value) => judge(value, (each) => some(tests, (test) => test(each)));
}

/** Unclear for what is no text, and where the text would be judged otherwise once it is cleaned. */
export function onText(value: unknown, judge: (text: string) => Outcome): Outcome {
  if (value === undefined) return false;
  if (typeof value !== 'string') return 'unclear';
  const plain = plainText(value);
  return plain === value ? judge(value) : agreed([judge(value), judge(plain)]);
}
