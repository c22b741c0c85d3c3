/**
 * Conditions on the parameters of a call, in `policy.parameters.when`: an object of path → test, all of which must hold,
 * or an array of such objects, one of which must. A test is a value (equality) or an object of operators. A path that
 * begins with `@` is about what the server knows and not about a parameter.
 */
import { isRecord } from '../../../../../kernel/json/loose.ts';
import { suggestion } from '../../../../../kernel/nearest.ts';
import type { FactKey } from './fact-key.ts';
import { readFactList } from './fact-key.ts';
import type { Check } from './operator.ts';
import { NESTING, OPERATOR_NAMES, OPERATORS, overElements } from './operators.ts';
import { every, not, type Outcome, some } from './outcome.ts';
import { isBlocked, pathSteps, valueAt } from './parameter-path.ts';
import { isDisputed, parseServerPath, type ServerPath, valueAtServer } from './server-path.ts';
import type { Surroundings } from './surroundings.ts';

export interface Test {
  readonly path: string;
  readonly operator: string;
  readonly check: Check;
  readonly steps: readonly string[];
  /** Where the value comes from the server; `steps` are then of no use. */
  readonly server?: ServerPath;
  /** What the test compares with; the analysis picks values around it. */
  readonly operand: unknown;
  /** What `any`, `all` and `not` hold: tests of an element, or of the same value. */
  readonly within?: CompiledWhen;
}

export interface CompiledWhen {
  readonly alternatives: readonly (readonly Test[])[];
}

export interface WhenProblem {
  readonly path: string;
  readonly message: string;
}

export interface WhenReading {
  /**
   * Refuse what can be read but cannot be meant, such as a test without an operator. Atlases that were loaded before it was
   * refused keep their meaning.
   */
  readonly strict: boolean;
  readonly depth?: number;
}

/** How deep `any`, `all` and `not` may stand in one another. */
const DEEPEST = 8;

export function compileWhen(when: unknown, reading: WhenReading): CompiledWhen | WhenProblem {
  const { strict, depth = 0 } = reading;
  if (depth > DEEPEST) return { path: '', message: `is nested more than ${DEEPEST} deep` };
  const groups = Array.isArray(when) ? when : [when];
  if (groups.length === 0) return { path: '', message: 'is empty, so it never holds' };
  const alternatives: Test[][] = [];
  for (const group of groups) {
    if (!isRecord(group)) return { path: '', message: 'must be an object of path → test' };
    if (strict && Object.keys(group).length === 0)
      return { path: '', message: 'is empty, so it always holds' };
    const tests: Test[] = [];
    for (const [path, test] of Object.entries(group)) {
      const compiled = compileTests(path, test, { strict, depth });
      if (isWhenProblem(compiled)) return compiled;
      tests.push(...compiled);
    }
    alternatives.push(tests);
  }
  return { alternatives };
}

function compileTests(path: string, test: unknown, reading: Required<WhenReading>): Test[] | WhenProblem {
  const written = isRecord(test) ? Object.entries(test) : ([['eq', test]] as [string, unknown][]);
  const steps = path === '.' ? [] : pathSteps(path);
  const fault = reading.strict && unmeant(path, steps, written.length);
  if (fault) return { path, message: fault };
  const found = path.startsWith('@') ? parseServerPath(path) : undefined;
  if (typeof found === 'string' && reading.strict) return { path, message: found };
  // An Atlas from before `@` had a meaning names a parameter.
  const server = typeof found === 'string' ? undefined : found;
  const tests: Test[] = [];
  for (const [operator, operand] of written) {
    const compiled = compileOperator(operator, operand, reading);
    if ('message' in compiled) {
      const inner = compiled.path === '' ? path : `${path}.${compiled.path}`;
      return { path: inner, message: compiled.message };
    }
    tests.push({ path, operator, steps, operand, ...(server && { server }), ...compiled });
  }
  return tests;
}

/** What can be read but not meant. */
function unmeant(path: string, steps: readonly string[], operators: number): string | undefined {
  if (operators === 0) return 'has no operator, so it always holds';
  if (path === '' || steps.includes('')) return 'is no path';
  if (!path.startsWith('/') && steps.some((step) => step.includes('*')))
    return 'cannot hold a star: {"any": …} and {"all": …} look into an array';
  return undefined;
}

function compileOperator(
  name: string,
  operand: unknown,
  reading: Required<WhenReading>,
): Pick<Test, 'check' | 'within'> | WhenProblem {
  if (Object.hasOwn(NESTING, name)) return compileNested(name as keyof typeof NESTING, operand, reading);
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (!operator)
    return { path: '', message: `has the unknown operator ${name}: ${suggestion(name, OPERATOR_NAMES)}` };
  const check = operator.make(operand);
  if (reading.strict && typeof check !== 'string' && Array.isArray(operand) && operand.length === 0)
    return { path: '', message: `${name} needs at least one value` };
  return typeof check === 'string' ? { path: '', message: `${name} ${check}` } : { check };
}

function compileNested(
  word: keyof typeof NESTING,
  operand: unknown,
  reading: Required<WhenReading>,
): Pick<Test, 'check' | 'within'> | WhenProblem {
  const deeper = { ...reading, depth: reading.depth + 1 };
  // `not` is about the same value: its tests stand directly in it.
  const within = compileWhen(word === 'not' ? { '.': operand } : operand, deeper);
  if (isWhenProblem(within)) {
    const inner = within.path.replace(/^\.(?:\.|$)/, '');
    return { path: inner === '' ? word : `${word}.${inner}`, message: within.message };
  }
  if (word === 'not') {
    const asksWhetherGiven = within.alternatives.flat().every(({ operator }) => operator === 'exists');
    return {
      within,
      check: (value, around) =>
        value === undefined && !asksWhetherGiven ? 'unclear' : not(outcomeOf(within, value, around)),
    };
  }
  return {
    within,
    check: (value, around) => overElements(word, (element) => outcomeOf(within, element, around))(value),
  };
}

export function isWhenProblem(
  compiled: CompiledWhen | WhenProblem | readonly Test[],
): compiled is WhenProblem {
  return 'message' in compiled;
}

function outcomeOf(when: CompiledWhen, value: unknown, around: Surroundings): Outcome {
  return some(when.alternatives, (tests) => every(tests, (test) => testOutcome(test, value, around)));
}

function testOutcome(test: Test, value: unknown, around: Surroundings): Outcome {
  const { check, steps, server, operator } = test;
  if (server) {
    const known = valueAtServer(server, around);
    // Whoever may say or end a fact must not thereby lift what rests on it.
    if (known === undefined && 'subject' in server && (operator !== 'exists' || isDisputed(server, around)))
      return 'unclear';
    return check(known, around);
  }
  if (around.parameters === undefined || isBlocked(value, steps)) return 'unclear';
  return check(valueAt(value, steps), around);
}

/** The caller says with `unclear` how values of the wrong kind count, and those that are not known yet. */
export function whenHolds(when: CompiledWhen, around: Surroundings, unclear: boolean): boolean {
  const outcome = outcomeOf(when, around.parameters, around);
  return outcome === 'unclear' ? unclear : outcome;
}

/** Every test by itself, in the order in which they are written. */
export function testOutcomes(
  when: CompiledWhen,
  around: Surroundings,
  unclear: boolean,
): { readonly name: string; readonly holds: boolean }[] {
  return when.alternatives.flat().map((test) => {
    const outcome = testOutcome(test, around.parameters, around);
    return {
      name: `${test.path} ${test.operator}`,
      holds: outcome === 'unclear' ? unclear : outcome,
    };
  });
}

/** The path of the first test that fails, for explanations. */
export function firstFailingTest(
  when: CompiledWhen,
  around: Surroundings,
  unclear: boolean,
): string | undefined {
  return testOutcomes(when, around, unclear).find(({ holds }) => !holds)?.name;
}

/** Whether the outcome depends on the clock. */
export function asksTheClock(when: CompiledWhen): boolean {
  return when.alternatives.flat().some(({ operator, operand, within }) => {
    if (within) return asksTheClock(within);
    if (operator !== 'before' && operator !== 'after' && operator !== 'between') return false;
    return JSON.stringify(operand).includes('now');
  });
}

/** The facts that the condition looks at. */
export function factsOf(when: CompiledWhen): FactKey[] {
  return when.alternatives
    .flat()
    .flatMap(({ server, operator, operand, within }) => [
      ...(server && 'subject' in server ? [server] : []),
      ...(operator === 'in_fact' ? [readFactList(operand) ?? []].flat() : []),
      ...(within ? factsOf(within) : []),
    ]);
}

/** For a condition that cannot be read: nothing is granted by it, and nothing escapes it. */
export const UNREADABLE: CompiledWhen = {
  alternatives: [[{ path: '', operator: 'eq', operand: null, steps: [], check: () => 'unclear' }]],
};
