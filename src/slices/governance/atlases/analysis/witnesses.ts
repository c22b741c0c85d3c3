import { JsonNumber } from '../../../../kernel/json/value.ts';
import { type CompiledWhen, pathSteps } from '../../policies/rules/when.ts';

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

/** Values around every constant that a test compares with, by path; `undefined` leaves the parameter out. */
export function parameterWitnesses(whens: readonly CompiledWhen[]): Map<string, unknown[]> {
  const values = new Map<string, unknown[]>();
  for (const { alternatives } of whens) {
    for (const { path, operand, operator } of alternatives.flat()) {
      const known = values.get(path) ?? [undefined, 'something else'];
      for (const value of around(operator, operand)) if (!known.includes(value)) known.push(value);
      values.set(path, known);
    }
  }
  return values;
}

function around(operator: string, operand: unknown): unknown[] {
  const number = operand instanceof JsonNumber ? operand.toNumber() : operand;
  if (typeof number === 'number') return [number - 1, number, number + 1];
  if (operator === 'matches' && typeof operand === 'string')
    return [operand.replaceAll('*', 'x').replaceAll('?', 'x')];
  if (operator === 'in' || operator === 'not_in') return [...(operand as unknown[])];
  if (operator === 'contains') return [operand, [operand]];
  if (operator === 'exists' || operator === 'type') return [0, 1.5, true, [], {}];
  return [operand];
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
