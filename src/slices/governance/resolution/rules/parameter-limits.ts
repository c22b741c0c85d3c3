/** What rules say of the parameters of an action that may run, told to the agent before it calls: in words and in schema. */
import type { CompiledAction, CompiledPolicy } from '../../policies/rules/compile.ts';
import type { CompiledWhen, Test } from '../../policies/rules/when/when.ts';

/** The words that JSON Schema has for a test on one value. */
const KEYWORDS: Readonly<
  Record<string, (operand: unknown) => Readonly<Record<string, unknown>> | undefined>
> = {
  eq: (operand) => ({ const: operand }),
  in: (operand) => (Array.isArray(operand) ? { enum: operand } : undefined),
  gt: (operand) => ({ exclusiveMinimum: operand }),
  gte: (operand) => ({ minimum: operand }),
  lt: (operand) => ({ exclusiveMaximum: operand }),
  lte: (operand) => ({ maximum: operand }),
  regex: (operand) => ({ pattern: operand }),
  type: (operand) => ({ type: operand }),
};

const LONGEST = 600;

/**
 * One sentence for each rule: `Allowed by small if amount at most 100. Needs a person by large if amount greater than 100.`
 * Undefined where no rule looks at a parameter.
 */
export function limitsInWords(
  { candidates }: CompiledAction,
  applies: (policy: CompiledPolicy) => boolean,
): string | undefined {
  const said = (policies: readonly CompiledPolicy[], head: string) =>
    policies.flatMap((policy) => {
      const { when } = policy.rule;
      if (!when || !applies(policy)) return [];
      return [`${head} by ${policy.policyId} if ${whenInWords(when)}.`];
    });
  const sentences = [
    // Without a condition, one of these allows everything that the others do not mention.
    ...(candidates.allow.some((policy) => !policy.rule.when && applies(policy))
      ? []
      : said(candidates.allow, 'Allowed')),
    ...said(candidates.approval, 'Needs a person'),
    ...said(candidates.deny, 'Denied'),
  ];
  if (sentences.length === 0) return undefined;
  const whole = sentences.join(' ');
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST)}…` : whole;
}

/** The action's schema with what a call must fit to be allowed, where one rule alone can allow it. */
export function limitedSchema(
  { action, candidates }: CompiledAction,
  applies: (policy: CompiledPolicy) => boolean,
): Readonly<Record<string, unknown>> {
  const schema = action.parameters_schema ?? {};
  const granting = [...candidates.allow, ...candidates.approval].filter(applies);
  const [only] = granting;
  const when = granting.length === 1 ? only?.rule.when : undefined;
  if (when?.alternatives.length !== 1) return schema;
  const limits = (when.alternatives[0] as readonly Test[]).flatMap((test) => {
    const keyword = test.server ? undefined : KEYWORDS[test.operator]?.(test.operand);
    return keyword && test.steps.length > 0 ? [nested(test.steps, keyword)] : [];
  });
  return limits.length === 0
    ? schema
    : { ...schema, allOf: [...((schema.allOf as unknown[]) ?? []), ...limits] };
}

function nested([step, ...deeper]: readonly string[], inner: object): object {
  const value = deeper.length === 0 ? inner : nested(deeper, inner);
  return { type: 'object', required: [step], properties: { [step as string]: value } };
}

const WORDS: Readonly<Record<string, string>> = {
  eq: 'is',
  ne: 'is not',
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  in: 'is one of',
  not_in: 'is none of',
  matches: 'fits',
  regex: 'matches',
  contains: 'contains',
  exists: 'is given:',
  type: 'is of type',
  path_within: 'is a path within',
  path_matches: 'is a path like',
  ref_matches: 'is a branch like',
  runs: 'runs',
  runs_only: 'runs only',
  in_fact: 'is listed by the fact',
  before: 'is before',
  after: 'is after',
  between: 'is between',
};

function whenInWords({ alternatives }: CompiledWhen): string {
  return alternatives.map((tests) => tests.map(testInWords).join(' and ')).join(', or ');
}

function testInWords({ path, operator, operand, within }: Test): string {
  const name = path === '.' ? 'it' : path;
  if (within && operator === 'not') return `not (${whenInWords(within).replaceAll(/\bit\b/g, name)})`;
  if (within) return `${operator === 'any' ? 'one of' : 'each of'} ${name} has: ${whenInWords(within)}`;
  const field = /^(\w+)_field$/.exec(operator)?.[1];
  if (field !== undefined) return `${name} ${WORDS[field] ?? field} the value of ${String(operand)}`;
  return `${name} ${WORDS[operator] ?? operator} ${JSON.stringify(operand)}`;
}
