import type { Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { toPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Approval } from '../approvals/store.ts';
import { governanceErrors } from '../errors.ts';
import { DEFAULT_DENY } from '../policies/rules/decide.ts';
import type { Admission } from './admit.ts';
import type { RunOutcome } from './executors.ts';
import type { ExecuteResponse } from './schema.ts';

export interface AnswerHead {
  readonly executionId: string;
  readonly requestId: string;
  readonly resolutionId: string;
  readonly traceId: string;
  readonly now: Micros;
}

export interface Denial {
  readonly reason: string;
  readonly policyId: string;
  readonly violation: 'denied_action' | 'unauthorized' | 'rate_limit' | 'budget';
  readonly retryAfterSeconds?: number | undefined;
  /** A person approved the call with these parameters instead. */
  readonly approved?: { readonly approvalId: string; readonly parameters: JsonObject } | undefined;
}

function response(
  head: AnswerHead,
  status: ExecuteResponse['status'],
  rest: { readonly result?: unknown; readonly error?: ExecuteResponse['error'] },
): ExecuteResponse {
  return {
    carp_version: '1.0',
    execution_id: head.executionId,
    request_id: head.requestId,
    resolution_id: head.resolutionId,
    timestamp: formatMicros(head.now),
    status,
    result: rest.result ?? null,
    error: rest.error ?? null,
    trace_id: head.traceId,
  };
}

/** Both an ExecuteResponse and an error body. */
export function denied(head: AnswerHead, denial: Denial): Admission {
  const limited = denial.violation === 'rate_limit';
  const row = limited
    ? 'rate_limit_exceeded'
    : denial.violation === 'budget'
      ? 'budget_exceeded'
      : 'action_denied';
  const spec = governanceErrors.specs[row];
  const { retryAfterSeconds } = denial;
  return {
    kind: 'answer',
    status: spec.status,
    body: response(head, 'denied', {
      error: {
        code: row.toUpperCase(),
        message: row === 'action_denied' ? inWords(denial) : spec.message,
        next: spec.next,
        category: limited ? 'rate_limit' : 'authorization',
        recoverable: limited,
        details: {
          policy_id: denial.policyId,
          reason: denial.reason,
          ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
          ...(denial.approved && {
            approval_id: denial.approved.approvalId,
            approved_parameters: toPlain(denial.approved.parameters),
          }),
        },
      },
    }),
    ...(retryAfterSeconds !== undefined && { retryAfter: retryAfterSeconds }),
  };
}

/** The author's own words, so that whoever reads only the message knows why. */
function inWords({ policyId, reason }: Denial): string {
  const sentence = /[.!?]$/.test(reason) ? reason : `${reason}.`;
  return policyId === DEFAULT_DENY ? sentence : `Denied by ${policyId}: ${sentence}`;
}

/** `approval_id` is the first of those that the call waits for; all of them are in `approvals`. */
export function pendingApproval(head: AnswerHead, approvals: readonly Approval[]): Admission {
  const spec = governanceErrors.specs.action_requires_approval;
  const waiting = approvals.map((approval) => ({
    approval_id: approval.approvalId,
    policy_id: approval.policyId,
    expires_at: approval.expiresAt,
  }));
  return {
    kind: 'answer',
    status: 200,
    body: response(head, 'pending_approval', {
      error: {
        code: 'ACTION_REQUIRES_APPROVAL',
        message: spec.message,
        next: spec.next,
        details: { ...waiting[0], approvals: waiting },
      },
    }),
  };
}

export function ranAnswer(head: AnswerHead, outcome: RunOutcome): ExecuteResponse {
  return outcome.ok
    ? response(head, 'success', { result: outcome.result })
    : response(head, 'error', { error: { code: outcome.code, message: outcome.message, details: {} } });
}
