import { decisionIds } from '../../decisions/rules.ts';
import { done, type Outcome, type Refusal, refuse } from '../../outcome.ts';
import { type ActiveTurn, type RunState, withTurn } from '../../run-state.ts';
import { type Change, change, eventOf } from '../../runs/rules/change.ts';
import { type Acceptance, commitAcceptance } from './commit.ts';
import { type AcceptanceInput, judgeAcceptance } from './judge.ts';
import { type Validation, validateTurnResult } from './result/validate.ts';
import { resolveTarget } from './target.ts';

export type AcceptRequest = Omit<AcceptanceInput, 'turn' | 'result'> & {
  readonly turnId: string | undefined;
  readonly staged: unknown;
};

export type AcceptOutcome =
  | { readonly kind: 'accepted'; readonly acceptance: Acceptance }
  | { readonly kind: 'conflicted'; readonly change: Change };

/** Takes a staged result all the way in one call; `turns/accept.ts` takes the same steps with hooks in between. */
export function acceptTurn(request: AcceptRequest): Outcome<AcceptOutcome> {
  const target = resolveTarget(request.state, request.history, request.turnId);
  if (!target.ok) return target;
  const turn = target.value;
  const takenDecisionIds = decisionIds(request.ledger, request.state.run_id);
  const validation = validateTurnResult(request.staged, { ...request, turn, takenDecisionIds });
  if (!validation.ok) return refuse(validationRefusal(validation));
  const input: AcceptanceInput = { ...request, turn, result: validation.result };
  const judgement = judgeAcceptance(input);
  if (judgement.verdict === 'refused') return refuse(judgement.refusal);
  if (judgement.verdict === 'conflicted') return done({ kind: 'conflicted', change: judgement.change });
  const acceptance = commitAcceptance(input, {
    ...judgement,
    warnings: [...validation.warnings, ...judgement.warnings],
  });
  return done({ kind: 'accepted', acceptance });
}

export function validationRefusal(validation: Extract<Validation, { ok: false }>): Refusal {
  const { decisive } = validation;
  return {
    type: decisive.type,
    rule: `turn_result.${validation.failedStage}`,
    field: decisive.field,
    message: decisive.message,
    next: decisive.next,
    details: { failed_stage: validation.failedStage, findings: validation.findings },
  };
}

/** A refused acceptance leaves history alone and records on the turn what was wrong. */
export function markFailedAcceptance(
  state: RunState,
  turn: ActiveTurn,
  refusal: Refusal,
  failedStage: string | null,
  errors: readonly string[],
): Change {
  const marked: ActiveTurn = {
    ...turn,
    status: 'failed_acceptance',
    last_rejection: { reason: refusal.message, validation_errors: errors, failed_stage: failedStage },
  };
  const next = withTurn(state, marked);
  const payload = {
    error_type: refusal.type,
    failed_stage: failedStage,
    message: refusal.message,
    field: refusal.field ?? null,
  };
  return change(next, { events: [eventOf(next, 'acceptance_failed', payload, turn)] });
}
