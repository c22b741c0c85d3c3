/**
 * Conditions on the parameters of a call, in `policy.parameters.when`: an object of path → test, all of which must hold,
 * or an array of such objects, one of which must. A test is a value (equality) or an object of operators.
 */
import { globMatcher } from '../../../../kernel/glob.ts';
import { canonicalJcs } from '../../../../kernel/json/canonical/jcs.ts';
import { isRecord } from '../../../../kernel/json/loose.ts';
import { type Json, JsonNumber } from '../../../../kernel/json/value.ts';
import { compareDecimals, decimalOf } from './decimal.ts';

/** `unclear`: the value is of a kind that the operator cannot compare. */
type Outcome = boolean | 'unclear';

interface Test {
  readonly path: string;
  readonly operator: string;
  readonly holds: (value: unknown) => Outcome;
  readonly steps: readonly string[];
  /** What the test compares with; the analysis picks values around it. */
  readonly operand: unknown;
}

export interface CompiledWhen {
  readonly alternatives: readonly (readonly Test[])[];
}

export interface WhenProblem {
  readonly path: string;
  readonly message: string;
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

type Operator = (operand: unknown) => ((value: unknown) => Outcome) | string;

const ordered =
  (accepts: (order: number) => boolean): Operator =>
  (operand) => {
    const right = decimalOf(operand);
    if (right === undefined || typeof operand === 'string') return 'needs a number';
    return (value) => {
      if (value === undefined) return false;
      const left = typeof value === 'string' ? undefined : decimalOf(value);
      return left === undefined ? 'unclear' : accepts(compareDecimals(left, right));
    };
  };

const membership =
  (negated: boolean): Operator =>
  (operand) => {
    if (!Array.isArray(operand)) return 'needs an array';
    return (value) => operand.some((item) => same(value, item)) !== negated;
  };

const operators: Readonly<Record<string, Operator>> = {
  eq: (operand) => (value) => same(value, operand),
  ne: (operand) => (value) => !same(value, operand),
  gt: ordered((order) => order > 0),
  gte: ordered((order) => order >= 0),
  lt: ordered((order) => order < 0),
  lte: ordered((order) => order <= 0),
  in: membership(false),
  not_in: membership(true),
  matches: (operand) => {
    if (typeof operand !== 'string') return 'needs a glob';
    const matches = globMatcher(operand);
    return (value) => (value === undefined ? false : typeof value === 'string' ? matches(value) : 'unclear');
  },
  contains: (operand) => (value) => {
    if (value === undefined) return false;
    if (Array.isArray(value)) return value.some((item) => same(item, operand));
    return typeof value === 'string' && typeof operand === 'string' ? value.includes(operand) : 'unclear';
  },
  exists: (operand) => {
    if (typeof operand !== 'boolean') return 'needs true or false';
    return (value) => (value !== undefined) === operand;
  },
  type: (operand) => {
    if (typeof operand !== 'string' || !TYPES.includes(operand)) return `needs one of ${TYPES.join(', ')}`;
    return (value) => typeName(value) === operand || (operand === 'number' && typeName(value) === 'integer');
  },
};

export function compileWhen(when: unknown): CompiledWhen | WhenProblem {
  const groups = Array.isArray(when) ? when : [when];
  if (groups.length === 0) return { path: '', message: 'is empty' };
  const alternatives: Test[][] = [];
  for (const group of groups) {
    if (!isRecord(group)) return { path: '', message: 'must be an object of path → test' };
    const tests: Test[] = [];
    for (const [path, test] of Object.entries(group)) {
      const written = isRecord(test) ? Object.entries(test) : ([['eq', test]] as [string, unknown][]);
      for (const [operator, operand] of written) {
        const make = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
        if (!make) return { path, message: `has the unknown operator ${operator}` };
        const holds = make(operand);
        if (typeof holds === 'string') return { path, message: `${operator} ${holds}` };
        tests.push({ path, operator, holds, steps: pathSteps(path), operand });
      }
    }
    alternatives.push(tests);
  }
  return { alternatives };
}

export function isWhenProblem(compiled: CompiledWhen | WhenProblem): compiled is WhenProblem {
  return 'message' in compiled;
}

/**
 * A value of the wrong kind must neither escape a rule that restricts nor satisfy one that grants: the caller says with
 * `unclear` how it counts.
 */
export function whenHolds(when: CompiledWhen, parameters: unknown, unclear: boolean): boolean {
  return when.alternatives.some((tests) =>
    tests.every(({ holds, steps }) => {
      const outcome = holds(valueAt(parameters, steps));
      return outcome === 'unclear' ? unclear : outcome;
    }),
  );
}

/** The path of the first test that fails, for explanations. */
export function firstFailingTest(
  when: CompiledWhen,
  parameters: unknown,
  unclear: boolean,
): string | undefined {
  for (const tests of when.alternatives) {
    for (const { holds, steps, path, operator } of tests) {
      const outcome = holds(valueAt(parameters, steps));
      if ((outcome === 'unclear' ? unclear : outcome) === false) return `${path} ${operator}`;
    }
  }
  return undefined;
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  if (isNumber(a) && isNumber(b)) {
    const left = decimalOf(a);
    const right = decimalOf(b);
    return left !== undefined && right !== undefined && compareDecimals(left, right) === 0;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return canonicalJcs(a as Json) === canonicalJcs(b as Json);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || value instanceof JsonNumber;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isNumber(value)) {
    const decimal = decimalOf(value);
    return decimal && decimal.digits % 10n ** BigInt(decimal.scale) === 0n ? 'integer' : 'number';
  }
  return typeof value;
}

/** `items.0.price` or `/items/0/price`. */
export function pathSteps(path: string): readonly string[] {
  if (!path.startsWith('/')) return path.split('.');
  return path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Undefined where there is no value; inherited members do not count. */
export function valueAt(value: unknown, steps: readonly string[]): unknown {
  let at = value;
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || at instanceof JsonNumber || !Object.hasOwn(at, step))
      return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return at;
}
