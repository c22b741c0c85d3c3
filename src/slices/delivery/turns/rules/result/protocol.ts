import { isNonBlank, member } from '../../../../../kernel/json/loose.ts';
import { finalPhase, nextPhase, phasesOf } from '../../../config/config.ts';
import type { Report } from '../../../findings.ts';
import type { TurnResult } from '../../turn-result.ts';
import { isLegalNext, roleOf, type TurnContext } from './stage.ts';

/** These two are compared byte for byte by the conformance corpus. */
const CHALLENGE = 'review_only role must raise at least one objection';
const EXCLUSIVE = 'phase_transition_request and run_completion_request cannot both be present';
const MAX_DELEGATIONS = 5;

export function checkProtocol(result: TurnResult, context: TurnContext, report: Report) {
  checkChallenge(result, context, report);
  checkNextRole(result, context, report);
  checkRequests(result, context, report);
  checkDelegations(result, context, report);
  checkReview(result, context, report);
}

export function protocolWarnings(result: TurnResult): readonly string[] {
  return result.status === 'needs_human' && !isNonBlank(result.needs_human_reason)
    ? ['needs_human without a needs_human_reason: the person will not know what is asked.']
    : [];
}

function checkChallenge(result: TurnResult, context: TurnContext, report: Report) {
  if (!context.config.challengeRequired || roleOf(context)?.write_authority !== 'review_only') return;
  if (result.objections.length > 0) return;
  const next = 'Raise what you would change, however small.';
  report('objections', CHALLENGE, next, { type: 'challenge_requirement_violated' });
}

function checkNextRole(result: TurnResult, context: TurnContext, report: Report) {
  const { phase } = context.state;
  const next = result.proposed_next_role;
  if (isLegalNext(context, next) || (next === 'human' && result.status !== 'completed')) return;
  const message = `"${next}" may not follow in phase "${phase}".`;
  report('proposed_next_role', message, `See routing.${phase}.allowed_next_roles.`);
}

function checkRequests(result: TurnResult, { config, state }: TurnContext, report: Report) {
  const target = result.phase_transition_request ?? null;
  const completes = result.run_completion_request === true;
  const phases = phasesOf(config);
  const next = nextPhase(config, state.phase);
  const field = 'phase_transition_request';
  if (target !== null && completes)
    report(field, EXCLUSIVE, 'Ask for one of them.', { type: 'mutually_exclusive_requests' });
  if (target !== null && !phases.includes(target)) {
    report(field, `"${target}" is not a phase of this run.`, `The phases are: ${phases.join(', ')}.`);
  } else if (target !== null && target !== next) {
    const way = next === undefined ? 'Ask for run_completion_request instead.' : `Ask for "${next}".`;
    report(field, `"${target}" is not the next phase.`, way);
  }
  const routed = Object.keys(config.routing).length > 0;
  if (completes && routed && state.phase !== finalPhase(config)) {
    const way = `Ask for phase_transition_request "${next ?? finalPhase(config)}" instead.`;
    report('run_completion_request', `Phase "${state.phase}" is not the last one.`, way);
  }
}

function checkDelegations(result: TurnResult, context: TurnContext, report: Report) {
  const delegations = result.delegations ?? [];
  if (delegations.length === 0) return;
  const field = 'delegations';
  if (delegations.length > MAX_DELEGATIONS)
    report(field, `${delegations.length} delegations in one turn.`, `Delegate at most ${MAX_DELEGATIONS}.`);
  if (result.run_completion_request === true)
    report(field, 'A run that ends delegates nothing.', 'Drop one of the two.');
  if (context.turn?.delegation_context !== undefined)
    report(field, 'A delegated turn cannot delegate on.', 'Do the work, or end as blocked.');
  if (context.turn?.delegation_review !== undefined)
    report(field, 'A review of delegated work cannot delegate.', 'Judge it; delegate next turn.');
  const ids = delegations.map((delegation) => delegation.id);
  for (const [index, { id, to_role: target }] of delegations.entries()) {
    const at = `delegations.${index}`;
    if (ids.indexOf(id) < index) report(`${at}.id`, `${id} is used twice.`, 'Number them.');
    checkDelegate(`${at}.to_role`, target, result.role, context, report);
  }
}

function checkDelegate(field: string, target: string, self: string, context: TurnContext, report: Report) {
  const { roles } = context.config;
  if (target === self) report(field, 'A role cannot delegate to itself.', 'Name another role.');
  else if (member(roles, target) === undefined)
    report(field, `"${target}" is not a declared role.`, `The roles are: ${Object.keys(roles).join(', ')}.`);
  else if (!isLegalNext(context, target))
    report(field, `"${target}" may not work in this phase.`, 'Name one of the allowed next roles.');
}

/** While a child still owes a decision, the parent cannot move the run on. */
function checkReview(result: TurnResult, { turn }: TurnContext, report: Report) {
  const advances = (result.phase_transition_request ?? null) !== null;
  if (!advances && result.run_completion_request !== true) return;
  const missing = turn?.delegation_review?.delegations.flatMap((child) => child.missing_decision_ids) ?? [];
  if (missing.length === 0) return;
  report(
    advances ? 'phase_transition_request' : 'run_completion_request',
    `Delegated decisions are missing: ${missing.join(', ')}.`,
    'Delegate again, or take the decisions, before moving on.',
  );
}
