import type { Micros } from '../../../../kernel/clock.ts';
import { formatMillis } from '../../../../kernel/instant.ts';
import { done, illegalTransition, type Outcome } from '../../outcome.ts';
import type { RunState } from '../../run-state.ts';
import { blocked, type Change, change, eventOf, slug } from './change.ts';

export interface EscalationInput {
  readonly reason: string;
  /** Without a role it is the operator who escalates. */
  readonly roleId?: string;
  readonly detail?: string;
  readonly turnId?: string | undefined;
  readonly by?: string | undefined;
}

export function escalate(state: RunState, input: EscalationInput, now: Micros): Outcome<Change> {
  if (state.status !== 'active') {
    return illegalTransition(
      'run.escalate',
      `Only an active run can be escalated; this one is ${state.status}.`,
      'See: baton run status',
      'status',
    );
  }
  const next = escalated(state, input, now);
  const payload = { reason: input.reason, blocked_on: next.blocked_on, by: input.by ?? null };
  return done(
    change(next, {
      events: [eventOf(next, 'escalation_raised', payload), eventOf(next, 'run_blocked', payload)],
      ledger:
        input.roleId === undefined
          ? [
              {
                decision: 'operator_escalated',
                run_id: state.run_id,
                reason: input.reason,
                created_at: formatMillis(now),
              },
            ]
          : [],
    }),
  );
}

export function escalated(state: RunState, input: EscalationInput, now: Micros): RunState {
  const operator = input.roleId === undefined;
  const blockedOn = operator
    ? `escalation:operator:${slug(input.reason)}`
    : `escalation:${input.reason.replaceAll('_', '-')}:${input.roleId}`;
  const next = blocked(
    state,
    {
      blockedOn,
      category: 'escalation',
      typedReason: operator ? 'operator_escalation' : input.reason,
      detail: input.detail ?? input.reason,
      recoveryAction: 'baton run resume',
      turnRetained: input.turnId !== undefined,
      turnId: input.turnId,
    },
    now,
  );
  return {
    ...next,
    escalation: { reason: input.reason, role: input.roleId ?? null, raised_at: formatMillis(now) },
  };
}
