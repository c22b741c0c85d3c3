import { JsonNumber } from '../../../../kernel/json/value.ts';
import { pathSteps } from '../../policies/rules/parameter-path.ts';
import type { CompiledWhen } from '../../policies/rules/when.ts';

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
