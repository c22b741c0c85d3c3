import type { Policy, RuntimeType } from '../../config/config.ts';
import type { HistoryRow } from '../../records.ts';
import type { TurnResult } from '../turn-result.ts';
import type { AcceptanceInput } from './judge.ts';

export interface PolicyBreach {
  readonly policy: Policy;
  readonly message: string;
}

/** Which policies this turn would break if it were accepted. */
export function policyBreaches(input: AcceptanceInput, result: TurnResult): readonly PolicyBreach[] {
  return input.config.policies.flatMap((policy) => {
    const message = breach(policy, input, result);
    return message === undefined ? [] : [{ policy, message }];
  });
}

function breach(policy: Policy, input: AcceptanceInput, result: TurnResult): string | undefined {
  const { state, config, turn, history } = input;
  const limit = typeof policy.params.limit === 'number' ? policy.params.limit : Number.POSITIVE_INFINITY;
  const over = (count: number, what: string) =>
    count > limit ? `${count} ${what}; at most ${limit}.` : undefined;
  const ofPhase = history.filter((row) => row.phase === state.phase);
  switch (policy.rule) {
    case 'max_turns_per_phase':
      return over(ofPhase.length + 1, `turns in phase "${state.phase}"`);
    case 'max_total_turns':
      return over(history.length + 1, 'turns in the run');
    case 'max_consecutive_same_role':
      return over(consecutive(turn.assigned_role, history) + 1, `turns of "${turn.assigned_role}" in a row`);
    case 'max_cost_per_turn':
      return over(result.cost?.usd ?? 0, 'USD for one turn');
    case 'require_status': {
      const allowed = Array.isArray(policy.params.allowed) ? policy.params.allowed : [];
      return allowed.includes(result.status) ? undefined : `The turn ended as "${result.status}".`;
    }
    case 'require_reproducible_verification': {
      const level = normalizedVerification(result, config.runtimes[turn.runtime_id]?.type);
      if (level !== 'pass') return `The verification counts as "${level}", not as reproducible.`;
      const wrong = input.replayed?.find((command) => !command.holds);
      return (
        wrong &&
        `"${wrong.command}" ended with ${wrong.found ?? 'no exit code'} when it was run again; ${wrong.claimed} was claimed.`
      );
    }
    default:
      return undefined;
  }
}

function consecutive(role: string, history: readonly HistoryRow[]): number {
  return history.length - 1 - history.findLastIndex((row) => row.role !== role);
}

/**
 * How far a claimed pass can be trusted. A person or a bare model can only attest; a program that ran commands could
 * have shown exit codes. Reports and the reproducibility policy use this; gates use the claim itself.
 */
export function normalizedVerification(result: TurnResult, runtime: RuntimeType | undefined): string {
  const { status, machine_evidence: evidence } = result.verification;
  if (status !== 'pass') return status;
  if (runtime === 'manual' || runtime === 'api_proxy') return 'attested_pass';
  return evidence === undefined || evidence.length === 0 ? 'not_reproducible' : 'pass';
}
