/** Reads `policy.parameters` of each type of policy into a rule, or into a list of faults. */
import { z } from 'zod';
import type { Policy } from '../../atlases/schema.ts';
import { publishedAs } from '../../schema.ts';
import { LIMIT_SCOPES, type LimitShare } from './applied-limits.ts';
import type { BudgetRule } from './budget.ts';
import { type CedarRule, compileCedar, UNREADABLE_CEDAR } from './cedar-text.ts';
import { type Decimal, decimalOf } from './decimal.ts';
import type { RateRule } from './rate.ts';
import { type CompiledWhen, compileWhen, isWhenProblem, UNREADABLE } from './when/when.ts';

/** The widest approval that a person may give under a policy; they may always give less. */
export const COVERS = ['call', 'session', 'rule'] as const;

export interface ApprovalRule {
  /** Globs on actor ids; without them, anyone with the scope may decide. */
  readonly approvers: readonly string[] | undefined;
  /** How many of them have to agree; one unless given. */
  readonly quorum: number | undefined;
  readonly expiresSeconds: number | undefined;
  /** One call, every call of the session, or every call until somebody revokes it. */
  readonly covers: (typeof COVERS)[number];
  /** Paths of parameters that may differ from those that the person saw. */
  readonly mayDiffer: readonly string[];
}

export interface PolicyRule {
  readonly reason: string | undefined;
  readonly when: CompiledWhen | undefined;
  readonly cedar: CedarRule | undefined;
  readonly scopes: readonly string[];
  readonly rate: (RateRule & LimitShare) | undefined;
  readonly budget: (BudgetRule & LimitShare) | undefined;
  readonly approval: ApprovalRule | undefined;
}

export interface ParameterFault {
  readonly member: string;
  readonly message: string;
}

const positive = z.int().min(1);
const scope = z
  .enum(LIMIT_SCOPES)
  .optional()
  .describe('Who shares the counter: each agent (the default), each session, each action, or everybody.');
const per = z
  .string()
  .min(1)
  .optional()
  .describe('A parameter, such as `customer_id`: each of its values has a counter of its own.');
const amount = z
  .custom<number | string>((value) => {
    const decimal = decimalOf(value);
    return decimal !== undefined && decimal.digits >= 0n;
  }, 'Must be an amount of zero or more')
  .register(publishedAs, { type: ['number', 'string'], minimum: 0 });

const rateSchema = z.looseObject({
  max_calls: positive.describe('How many calls.'),
  window_seconds: positive.describe('In how many seconds, sliding.'),
  scope,
  per,
});
const budgetSchema = z.looseObject({
  limit: amount.describe('The most that may be spent.'),
  unit: z.string().optional().describe('What is counted, for people: EUR, tokens.'),
  cost: amount.optional().describe('What one call costs; 1 unless given.'),
  cost_field: z.string().min(1).optional().describe('The parameter that names the cost instead: `amount`.'),
  window_seconds: positive
    .optional()
    .describe('After how many seconds spending is forgotten; never unless given.'),
  refundable: z.boolean().optional().describe('A call that fails is not charged.'),
  scope,
  per,
});
const scopeSchema = z.looseObject({
  required_scopes: z
    .array(z.string())
    .min(1)
    .describe('Scopes that the credential must have; a call without one of them is denied.'),
});
const approvalSchema = z.looseObject({
  approvers: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Who may approve, as globs on actor ids; anyone with the right unless given.'),
  quorum: positive
    .max(10)
    .optional()
    .describe('How many different people have to agree; one unless given. One who rejects decides alone.'),
  expires_seconds: positive
    .max(86_400)
    .optional()
    .describe('How long there is to decide, and then to use it.'),
  covers: z
    .enum(COVERS)
    .optional()
    .describe(
      'The most that a person may approve: this call (the default), the session, or a standing rule.',
    ),
  may_differ: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Parameters that may differ from those that the person saw.'),
});

const cedarSchema = z.looseObject({
  cedar: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Cedar: `permit` statements in an allow policy, `forbid` in a deny policy. principal is Agent::"ID", action Action::"ID", in Action::"capability:ID", resource Project::"ID"; context has parameters, request, scopes, actor, now.',
    ),
});

/** What each type of policy reads of its `parameters`, besides `reason` and `when`. */
export const PARAMETERS = {
  allow: cedarSchema,
  deny: cedarSchema,
  scope: scopeSchema,
  require_approval: approvalSchema,
  rate_limit: rateSchema,
  budget: budgetSchema,
} as const satisfies Record<Policy['type'], z.ZodObject>;

export function knownParameters(type: Policy['type']): readonly string[] {
  return ['reason', 'when', ...Object.keys(PARAMETERS[type].shape)];
}

/** Members that no rule reads. CRA leaves the object open, but a misspelt member is a rule that does not hold. */
export function unknownParameters({ type, parameters = {} }: Policy): string[] {
  const known = knownParameters(type);
  return Object.keys(parameters).filter((key) => !known.includes(key));
}

/** `strict` refuses what can be read but not meant; an Atlas that is loaded already is read as it always was. */
export function readPolicyRule(
  policy: Policy,
  { strict } = { strict: false },
): { rule: PolicyRule; faults: ParameterFault[] } {
  const parameters = policy.parameters ?? {};
  const faults: ParameterFault[] = [];
  const read = <S extends z.ZodType>(type: Policy['type'], schema: S): z.output<S> | undefined => {
    if (policy.type !== type) return undefined;
    const parsed = schema.safeParse(parameters);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      faults.push({ member: issue.path.join('.'), message: issue.message });
    }
    return undefined;
  };
  const rate = read('rate_limit', rateSchema);
  const budget = read('budget', budgetSchema);
  const scopes = read('scope', scopeSchema);
  const approval = read('require_approval', approvalSchema);
  const named = approval?.approvers ?? [];
  if (named.length > 0 && !named.some((each) => /[*?]/.test(each))) {
    const people = new Set(named).size;
    if ((approval?.quorum ?? 1) > people)
      faults.push({
        member: 'quorum',
        message: `Must be at most ${people}: nobody else is among the approvers`,
      });
  }
  const reason = parameters.reason;
  if (reason !== undefined && typeof reason !== 'string')
    faults.push({ member: 'reason', message: 'Must be text' });
  return {
    faults,
    rule: {
      reason: typeof reason === 'string' ? reason : undefined,
      when: readWhen(parameters.when, strict, faults),
      cedar: readCedar(policy, faults),
      scopes: scopes?.required_scopes ?? [],
      rate: rate && {
        maxCalls: rate.max_calls,
        windowSeconds: rate.window_seconds,
        scope: rate.scope ?? 'agent',
        per: rate.per,
      },
      budget: budget && {
        limit: decimalOf(budget.limit) as Decimal,
        unit: budget.unit ?? 'unit',
        cost: budget.cost === undefined ? undefined : decimalOf(budget.cost),
        costField: budget.cost_field,
        windowSeconds: budget.window_seconds,
        refundable: budget.refundable ?? false,
        scope: budget.scope ?? 'agent',
        per: budget.per,
      },
      approval: approval && {
        approvers: approval.approvers,
        quorum: approval.quorum,
        expiresSeconds: approval.expires_seconds,
        covers: approval.covers ?? 'call',
        mayDiffer: approval.may_differ ?? [],
      },
    },
  };
}

/** Before it had a meaning, a member of that name had none: only a text is Cedar. */
function readCedar({ type, parameters }: Policy, faults: ParameterFault[]): CedarRule | undefined {
  if ((type !== 'allow' && type !== 'deny') || parameters?.cedar === undefined) return undefined;
  if (typeof parameters.cedar !== 'string') {
    faults.push({ member: 'cedar', message: 'Must be text' });
    return UNREADABLE_CEDAR;
  }
  const compiled = compileCedar(parameters.cedar, type);
  if (typeof compiled !== 'string') return compiled;
  faults.push({ member: 'cedar', message: compiled });
  return UNREADABLE_CEDAR;
}

function readWhen(when: unknown, strict: boolean, faults: ParameterFault[]): CompiledWhen | undefined {
  if (when === undefined) return undefined;
  const compiled = compileWhen(when, { strict });
  if (!isWhenProblem(compiled)) return compiled;
  faults.push({ member: compiled.path === '' ? 'when' : `when.${compiled.path}`, message: compiled.message });
  return UNREADABLE;
}
