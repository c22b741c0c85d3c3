/** Reads `policy.parameters` of each type of policy into a rule, or into a list of faults. */
import { z } from 'zod';
import type { Policy } from '../../atlases/schema.ts';
import { LIMIT_SCOPES, type LimitScope } from './applied-limits.ts';
import type { BudgetRule } from './budget.ts';
import { type Decimal, decimalOf } from './decimal.ts';
import type { RateRule } from './rate.ts';
import { type CompiledWhen, compileWhen, isWhenProblem } from './when.ts';

/** The widest approval that a person may give under a policy; they may always give less. */
export const COVERS = ['call', 'session', 'rule'] as const;

export interface ApprovalRule {
  /** Globs on actor ids; without them, anyone with the scope may decide. */
  readonly approvers: readonly string[] | undefined;
  readonly expiresSeconds: number | undefined;
  /** One call, every call of the session, or every call until somebody revokes it. */
  readonly covers: (typeof COVERS)[number];
  /** Paths of parameters that may differ from those that the person saw. */
  readonly mayDiffer: readonly string[];
}

export interface PolicyRule {
  readonly reason: string | undefined;
  readonly when: CompiledWhen | undefined;
  readonly scopes: readonly string[];
  readonly rate: (RateRule & { readonly scope: LimitScope }) | undefined;
  readonly budget: (BudgetRule & { readonly scope: LimitScope }) | undefined;
  readonly approval: ApprovalRule | undefined;
}

export interface ParameterFault {
  readonly member: string;
  readonly message: string;
}

const positive = z.int().min(1);
const scope = z.enum(LIMIT_SCOPES).optional();
const amount = z.custom<number | string>((value) => {
  const decimal = decimalOf(value);
  return decimal !== undefined && decimal.digits >= 0n;
}, 'Must be an amount of zero or more');

const rateSchema = z.looseObject({ max_calls: positive, window_seconds: positive, scope });
const budgetSchema = z.looseObject({
  limit: amount,
  unit: z.string().optional(),
  cost: amount.optional(),
  cost_field: z.string().min(1).optional(),
  window_seconds: positive.optional(),
  refundable: z.boolean().optional(),
  scope,
});
const scopeSchema = z.looseObject({ required_scopes: z.array(z.string()).min(1) });
const approvalSchema = z.looseObject({
  approvers: z.array(z.string()).min(1).optional(),
  expires_seconds: positive.max(86_400).optional(),
  covers: z.enum(COVERS).optional(),
  may_differ: z.array(z.string().min(1)).min(1).optional(),
});

const ALWAYS_KNOWN = ['reason', 'when'];
const KNOWN: Readonly<Record<Policy['type'], readonly string[]>> = {
  allow: [],
  deny: [],
  scope: Object.keys(scopeSchema.shape),
  require_approval: Object.keys(approvalSchema.shape),
  rate_limit: Object.keys(rateSchema.shape),
  budget: Object.keys(budgetSchema.shape),
};

/** Members that no rule reads. CRA leaves the object open, but a misspelt member is a rule that does not hold. */
export function unknownParameters({ type, parameters = {} }: Policy): string[] {
  return Object.keys(parameters).filter((key) => !KNOWN[type].includes(key) && !ALWAYS_KNOWN.includes(key));
}

export function readPolicyRule(policy: Policy): { rule: PolicyRule; faults: ParameterFault[] } {
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
  const reason = parameters.reason;
  if (reason !== undefined && typeof reason !== 'string')
    faults.push({ member: 'reason', message: 'Must be text' });
  return {
    faults,
    rule: {
      reason: typeof reason === 'string' ? reason : undefined,
      when: readWhen(parameters.when, faults),
      scopes: scopes?.required_scopes ?? [],
      rate: rate && {
        maxCalls: rate.max_calls,
        windowSeconds: rate.window_seconds,
        scope: rate.scope ?? 'agent',
      },
      budget: budget && {
        limit: decimalOf(budget.limit) as Decimal,
        unit: budget.unit ?? 'unit',
        cost: budget.cost === undefined ? undefined : decimalOf(budget.cost),
        costField: budget.cost_field,
        windowSeconds: budget.window_seconds,
        refundable: budget.refundable ?? false,
        scope: budget.scope ?? 'agent',
      },
      approval: approval && {
        approvers: approval.approvers,
        expiresSeconds: approval.expires_seconds,
        covers: approval.covers ?? 'call',
        mayDiffer: approval.may_differ ?? [],
      },
    },
  };
}

function readWhen(when: unknown, faults: ParameterFault[]): CompiledWhen | undefined {
  if (when === undefined) return undefined;
  const compiled = compileWhen(when);
  if (!isWhenProblem(compiled)) return compiled;
  faults.push({ member: compiled.path === '' ? 'when' : `when.${compiled.path}`, message: compiled.message });
  return undefined;
}
