import { maybeNumber, maybeText, record, texts } from '../api/shape.ts';
import { count } from '../numbers.ts';
import { windowDuration } from './window-duration.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** What a policy measures by: its limits, windows, budgets, tests and approvers, each as a short sentence. */
export function thresholdWords(type: string, parameters: Parameters | undefined): string[] {
  const given = parameters ?? {};
  const said = new Set(['when', 'reason']);
  const take = (...names: string[]) => {
    for (const name of names) said.add(name);
  };
  const words: string[] = [];
  if (given.when !== undefined) words.push(`when ${whenWords(given.when)}`);
  if (type === 'rate_limit') {
    take('max_calls', 'window_seconds', 'scope');
    words.push(rateWords(given));
  } else if (type === 'budget') {
    take('limit', 'unit', 'cost', 'cost_field', 'window_seconds', 'refundable', 'scope');
    words.push(...budgetWords(given));
  } else if (type === 'scope') {
    take('required_scopes');
    words.push(`needs the scopes ${texts(given.required_scopes).join(', ')}`);
  } else if (type === 'require_approval') {
    take('approvers', 'quorum', 'expires_seconds', 'covers', 'may_differ');
    words.push(...approvalWords(given));
  }
  // What this page has no words for is shown as it is written, and not left out.
  for (const [name, value] of Object.entries(given)) {
    if (!said.has(name)) words.push(`${name.replaceAll('_', ' ')}: ${valueWords(value)}`);
  }
  return words;
}

const SCOPES: Readonly<Record<string, string>> = {
  agent: 'for each agent',
  session: 'in each session',
  action: 'for each action',
  global: 'for all together',
};

function scopeWords(scope: unknown): string {
  const name = maybeText(scope) ?? 'agent';
  return SCOPES[name] ?? `per ${name}`;
}

function rateWords(given: Parameters): string {
  const most = maybeNumber(given.max_calls);
  const window = maybeNumber(given.window_seconds);
  const calls =
    most === undefined
      ? 'a limited number of calls'
      : `at most ${count(most)} ${most === 1 ? 'call' : 'calls'}`;
  return `${calls}${window === undefined ? '' : ` in ${windowDuration(window)}`}, ${scopeWords(given.scope)}`;
}

function budgetWords(given: Parameters): string[] {
  const unit = maybeText(given.unit) ?? 'units';
  const window = maybeNumber(given.window_seconds);
  const limit = `at most ${valueWords(given.limit)} ${unit}`;
  const cost =
    given.cost_field !== undefined
      ? `each call costs its ${valueWords(given.cost_field)}`
      : given.cost !== undefined
        ? `each call costs ${valueWords(given.cost)}`
        : undefined;
  return [
    `${limit}${window === undefined ? ' in all' : ` in ${windowDuration(window)}`}, ${scopeWords(given.scope)}`,
    ...(cost === undefined ? [] : [cost]),
    ...(given.refundable === true ? ['given back when the call fails'] : []),
  ];
}

const COVERS: Readonly<Record<string, string>> = {
  call: 'for one call',
  session: 'for one call, or the rest of the session',
  rule: 'for one call, the rest of the session, or until it is revoked',
};

function approvalWords(given: Parameters): string[] {
  const approvers = texts(given.approvers);
  const expires = maybeNumber(given.expires_seconds);
  const covers = maybeText(given.covers) ?? 'call';
  const differ = texts(given.may_differ);
  const quorum = maybeNumber(given.quorum) ?? 1;
  return [
    approvers.length > 0 ? `decided by ${approvers.join(' or ')}` : 'decided by anybody who may decide',
    ...(quorum > 1 ? [`${quorum} of them have to agree`] : []),
    `approved ${COVERS[covers] ?? covers}`,
    ...(differ.length > 0 ? [`${differ.join(', ')} may differ from what was approved`] : []),
    ...(expires === undefined ? [] : [`asked for at most ${windowDuration(expires)}`]),
  ];
}

const OPERATORS: Readonly<Record<string, string>> = {
  eq: 'is',
  ne: 'is not',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  in: 'is one of',
  not_in: 'is none of',
  matches: 'matches',
  contains: 'contains',
  type: 'is of type',
};

/** The tests of one object must all hold; of several objects, one. */
function whenWords(when: unknown): string {
  const groups = Array.isArray(when) ? when : [when];
  return groups.map((group) => testsWords(record(group))).join(', or ');
}

function testsWords(group: Parameters): string {
  return Object.entries(group)
    .flatMap(([path, test]) => testWords(pathWords(path), test))
    .join(' and ');
}

/** What begins with `@` the server knows by itself. */
function pathWords(path: string): string {
  return path === '@agent' ? 'the agent' : path;
}

function testWords(path: string, test: unknown): string[] {
  const operators = record(test);
  const names = Object.keys(operators);
  if (names.length === 0) return [`${path} is ${valueWords(test)}`];
  const { gte, lte, ...others } = operators;
  const range =
    gte !== undefined && lte !== undefined
      ? [`${path} is from ${valueWords(gte)} to ${valueWords(lte)}`]
      : Object.entries({ gte, lte }).flatMap(([name, operand]) =>
          operand === undefined ? [] : [`${path} ${OPERATORS[name]} ${valueWords(operand)}`],
        );
  return [...range, ...Object.entries(others).map(([name, operand]) => operatorWords(path, name, operand))];
}

function operatorWords(path: string, operator: string, operand: unknown): string {
  if (operator === 'exists') return `${path} is ${operand === true ? 'given' : 'not given'}`;
  if (operator === 'not') return notWords(path, operand);
  return `${path} ${OPERATORS[operator] ?? operator} ${valueWords(operand)}`;
}

/** The opposite in plain words where there are any. */
function notWords(path: string, tests: unknown): string {
  const { exists, eq } = record(tests);
  if (exists !== undefined) return operatorWords(path, 'exists', exists !== true);
  if (eq !== undefined) return `${path} is not ${valueWords(eq)}`;
  return testWords(path, tests)
    .map((words) => words.replace(`${path} is `, `${path} is not `))
    .join(' or ');
}

function valueWords(value: unknown): string {
  if (typeof value === 'number') return count(value);
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(valueWords).join(', ');
  return JSON.stringify(value) ?? '';
}
