import { asRecord } from '../../../../kernel/json/loose.ts';
import { JsonNumber } from '../../../../kernel/json/value.ts';
import { pathSteps } from '../../policies/rules/when/parameter-path.ts';
import type { CompiledWhen, Test } from '../../policies/rules/when/when.ts';

/**
 * For a set of globs, one text for every combination of them that some text can match: a search over the automaton
 * that runs all globs at once, in which letters that no glob names are one letter.
 */
const LARGEST_SEARCH = 2_000;

export function witnessesOf(globs: readonly string[]): {
  readonly texts: readonly string[];
  readonly complete: boolean;
} {
  const patterns = [...new Set(globs)].map((glob) => Array.from(glob));
  const letters = new Set(patterns.flat().filter((letter) => letter !== '*' && letter !== '?'));
  const fresh = [...'xyzabcdefghijklmnopqrstuvw0123456789'].find((letter) => !letters.has(letter)) ?? '~';
  const alphabet = [...letters, fresh];
  const found = new Map<string, string>();
  const seen = new Set<string>();
  const start = patterns.map((pattern) => closure(pattern, [0]));
  let queue: { states: number[][]; text: string }[] = [{ states: start, text: '' }];
  seen.add(JSON.stringify(start));
  while (queue.length > 0 && seen.size < LARGEST_SEARCH) {
    const next: typeof queue = [];
    for (const { states, text } of queue) {
      // An agent has a name, so the empty text is no witness.
      if (text !== '') {
        const vector = states
          .map((set, at) => (set.includes((patterns[at] as string[]).length) ? '1' : '0'))
          .join('');
        if (!found.has(vector)) found.set(vector, text);
      }
      for (const letter of alphabet) {
        const moved = states.map((set, at) => step(patterns[at] as string[], set, letter));
        const key = JSON.stringify(moved);
        if (seen.has(key)) continue;
        seen.add(key);
        next.push({ states: moved, text: text + letter });
      }
    }
    queue = next;
  }
  if (found.size === 0) found.set('', fresh);
  return { texts: [...found.values()], complete: queue.length === 0 };
}

function closure(pattern: readonly string[], positions: readonly number[]): number[] {
  const all = new Set<number>();
  for (let position of positions) {
    all.add(position);
    while (pattern[position] === '*') {
      position += 1;
      all.add(position);
    }
  }
  return [...all].sort((a, b) => a - b);
}

function step(pattern: readonly string[], positions: readonly number[], letter: string): number[] {
  const moved: number[] = [];
  for (const position of positions) {
    const token = pattern[position];
    if (token === '*') moved.push(position);
    else if (token === '?' || token === letter) moved.push(position + 1);
  }
  return closure(pattern, moved);
}

export interface ParameterWitnesses {
  readonly values: ReadonlyMap<string, readonly unknown[]>;
  /** Whether these values are all that the tests can tell apart. */
  readonly complete: boolean;
}

/** Operators whose cases are all among the values that `around` gives. */
const EXACT = new Set([
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'not_in',
  'matches',
  'contains',
  'exists',
  'type',
]);

/** Values around every constant that a test compares with, by path; `undefined` leaves the parameter out. */
export function parameterWitnesses(whens: readonly CompiledWhen[]): ParameterWitnesses {
  const values = new Map<string, unknown[]>();
  const add = (path: string, found: readonly unknown[]) => {
    const known = values.get(path) ?? [undefined, 'something else'];
    for (const value of found) if (!known.includes(value)) known.push(value);
    values.set(path, known);
  };
  let complete = true;
  for (const test of whens.flatMap(({ alternatives }) => alternatives.flat())) {
    complete &&= EXACT.has(test.operator);
    // What the server knows is tried by axes of its own.
    if (test.server) continue;
    if (test.operator.endsWith('_field')) {
      for (const path of [test.path, String(test.operand)]) add(path, [1, 2, [1]]);
    } else add(test.path, valuesFor(test));
  }
  return { values, complete };
}

/** What to try for one test; for tests within it, values that they can tell apart. */
export function valuesFor({ operator, operand, within }: Test): unknown[] {
  if (!within) return around(operator, operand);
  const inner = within.alternatives.flatMap((tests) => {
    const elements = [{}, {}].map((start, at) =>
      tests.reduce<unknown>((element, test) => {
        const value = valuesFor(test)[at] ?? valuesFor(test)[0];
        return test.steps.length === 0
          ? value
          : withParameter(element as Record<string, unknown>, test.path, value);
      }, start),
    );
    return elements;
  });
  return operator === 'not' ? inner : [[], ...inner.map((element) => [element]), inner];
}

export function around(operator: string, operand: unknown): unknown[] {
  const number = operand instanceof JsonNumber ? operand.toNumber() : operand;
  if (typeof number === 'number') return [number - 1, number, number + 1];
  if (operator === 'matches') return textsIn(operand).map((glob) => glob.replaceAll(/[*?]/g, 'x'));
  if (operator === 'in' || operator === 'not_in') return Array.isArray(operand) ? operand : textsIn(operand);
  if (operator === 'contains') return [operand, [operand]];
  if (operator === 'exists' || operator === 'type') return [0, 1.5, true, [], {}];
  if (operator === 'runs' || operator === 'runs_only') return commandLines(operand);
  if (operator === 'in_fact') return [LISTED];
  if (operator === 'path_within' || operator === 'path_matches') return filePaths(operator, operand);
  if (operator === 'ref_matches') return branches(operand);
  if (operator === 'before' || operator === 'after' || operator === 'between')
    return ['1990-01-01T00:00:00Z', '2026-01-05T00:00:00Z', '2090-01-01T00:00:00Z'];
  return [operand];
}

/** What a list of a fact holds where one is tried. */
export const LISTED = 'listed';

/** Each pattern as a command, alone and with another behind it. */
function commandLines(operand: unknown): string[] {
  const fitting = textsIn(operand).map((text) => text.replaceAll('**', 'x').replaceAll(/[*?]/g, 'x'));
  return [...fitting, ...fitting.map((line) => `${line}; elsewhere`), 'elsewhere $X'];
}

function textsIn(operand: unknown): string[] {
  const listed = asRecord(operand).of ?? operand;
  return (Array.isArray(listed) ? listed : [listed]).map(String);
}

function filePaths(operator: string, operand: unknown): string[] {
  const fitting = textsIn(operand).map((path) =>
    operator === 'path_within' ? `${path}/x` : path.replaceAll('**', 'x').replaceAll(/[*?]/g, 'x'),
  );
  return [...fitting, ...fitting.map((path) => path.toUpperCase()), '../elsewhere', 'elsewhere'];
}

function branches(operand: unknown): string[] {
  const fitting = textsIn(operand).map((glob) => glob.replaceAll(/[*?]/g, 'x'));
  return [...fitting, ...fitting.map((name) => `HEAD:${name}`), 'HEAD', 'elsewhere'];
}

export function withParameter(
  parameters: Record<string, unknown>,
  path: string,
  value: unknown,
): Record<string, unknown> {
  if (value === undefined) return parameters;
  const copy = structuredClone(parameters);
  const steps = pathSteps(path);
  let at = copy;
  for (const step of steps.slice(0, -1)) {
    const inner = at[step];
    at[step] = typeof inner === 'object' && inner !== null ? inner : {};
    at = at[step] as Record<string, unknown>;
  }
  at[steps.at(-1) as string] = value;
  return copy;
}
