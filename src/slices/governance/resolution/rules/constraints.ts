import type { Micros } from '../../../../kernel/clock.ts';
import { type AppliedLimit, remainingOf, type Usage } from '../../policies/rules/applied-limits.ts';
import type { CompiledPolicy } from '../../policies/rules/compile.ts';
import { formatDecimal } from '../../policies/rules/decimal.ts';
import type { Constraint } from '../schema.ts';

interface Open {
  readonly constraintId: string;
  readonly type: Constraint['type'];
  readonly parameters: Record<string, unknown>;
  readonly actionIds: string[];
  readonly remaining: Record<string, number | string>;
}

/** Collects one constraint for each policy that matched, over all actions it matched. */
export class ConstraintList {
  private readonly open = new Map<string, Open>();

  limit(limit: AppliedLimit, actionId: string, usage: Usage, now: Micros): void {
    const { rule } = limit;
    const parameters =
      limit.kind === 'rate'
        ? { max_calls: limit.rule.maxCalls, window_seconds: rule.windowSeconds, scope: limit.scope }
        : {
            limit: formatDecimal(limit.rule.limit),
            unit: limit.rule.unit,
            scope: limit.scope,
            ...(rule.windowSeconds !== undefined && { window_seconds: rule.windowSeconds }),
          };
    const counted = { ...parameters, ...(limit.per !== undefined && { per: limit.per }) };
    const entry = this.entry(limit.policyId, limit.kind === 'rate' ? 'rate_limit' : 'budget', counted);
    entry.actionIds.push(actionId);
    if (!limit.unknown) entry.remaining[actionId] = remainingOf(limit, usage, now);
  }

  window(policy: CompiledPolicy, actionId: string): void {
    const window = policy.policy.conditions?.time_window;
    if (window) this.entry(policy.policyId, 'time_window', { ...window }).actionIds.push(actionId);
  }

  /** `approval_id` is filled in once the approval exists, in the order in which policies first appear here. */
  approval({ atlasId, policyId }: CompiledPolicy, actionId: string, ahead: boolean): void {
    const entry = this.entry(policyId, 'require_approval', { at_execute: [] as string[] }, atlasId);
    entry.actionIds.push(actionId);
    if (!ahead) (entry.parameters.at_execute as string[]).push(actionId);
  }

  list(): Constraint[] {
    return [...this.open.values()].map(({ constraintId, type, parameters, actionIds, remaining }) => {
      const left = Object.values(remaining);
      return {
        constraint_id: constraintId,
        type,
        parameters: {
          ...parameters,
          action_ids: actionIds,
          ...(left.length > 0 && {
            remaining: left.reduce((least, each) => (Number(each) < Number(least) ? each : least)),
          }),
          ...(left.length > 1 && type === 'rate_limit' && { remaining_by_action: remaining }),
        },
      };
    });
  }

  private entry(
    policyId: string,
    type: Constraint['type'],
    parameters: Record<string, unknown>,
    atlasId = '',
  ): Open {
    const key = JSON.stringify([type, atlasId, policyId]);
    let entry = this.open.get(key);
    if (!entry) {
      entry = { constraintId: policyId, type, parameters, actionIds: [], remaining: {} };
      this.open.set(key, entry);
    }
    return entry;
  }
}
