import { member } from '../../../../../kernel/json/loose.ts';
import type { TurnResult } from '../../turn-result.ts';
import { type Finding, finder, isLegalNext, type TurnContext } from './stage.ts';

const fault = finder('protocol_error');
const MAX_DELEGATIONS = 5;

export function delegationRuleFindings(result: TurnResult, context: TurnContext): Finding[] {
  const delegations = result.delegations ?? [];
  if (delegations.length === 0) return [];
  const findings: Finding[] = [];
  if (delegations.length > MAX_DELEGATIONS) {
    findings.push(
      fault(
        'delegations',
        `${delegations.length} delegations in one turn.`,
        `Delegate at most ${MAX_DELEGATIONS}.`,
      ),
    );
  }
  if (result.run_completion_request === true) {
    findings.push(fault('delegations', 'A run that ends delegates nothing.', 'Drop one of the two.'));
  }
  if (context.turn?.delegation_context !== undefined) {
    findings.push(
      fault('delegations', 'A delegated turn cannot delegate on.', 'Do the work, or end as blocked.'),
    );
  }
  if (context.turn?.delegation_review !== undefined) {
    findings.push(
      fault('delegations', 'A review of delegated work cannot delegate.', 'Judge it; delegate next turn.'),
    );
  }
  const seen = new Set<string>();
  delegations.forEach((delegation, index) => {
    const at = `delegations.${index}`;
    if (seen.has(delegation.id))
      findings.push(fault(`${at}.id`, `${delegation.id} is used twice.`, 'Number them.'));
    seen.add(delegation.id);
    findings.push(...targetFindings(`${at}.to_role`, delegation.to_role, result.role, context));
  });
  return findings;
}

function targetFindings(field: string, target: string, self: string, context: TurnContext): Finding[] {
  if (target === self) return [fault(field, 'A role cannot delegate to itself.', 'Name another role.')];
  if (member(context.config.roles, target) === undefined) {
    const roles = Object.keys(context.config.roles).join(', ');
    return [fault(field, `"${target}" is not a declared role.`, `The roles are: ${roles}.`)];
  }
  if (isLegalNext(context, target)) return [];
  return [fault(field, `"${target}" may not work in this phase.`, 'Name one of the allowed next roles.')];
}

/** While a child still owes a decision, the parent cannot move the run on. */
export function reviewFindings(result: TurnResult, context: TurnContext): Finding[] {
  const review = context.turn?.delegation_review;
  const advances =
    (result.phase_transition_request ?? null) !== null || result.run_completion_request === true;
  if (review === undefined || !advances) return [];
  const missing = review.delegations.flatMap((child) => child.missing_decision_ids);
  if (missing.length === 0) return [];
  return [
    fault(
      (result.phase_transition_request ?? null) === null
        ? 'run_completion_request'
        : 'phase_transition_request',
      `Delegated decisions are missing: ${missing.join(', ')}.`,
      'Delegate again, or take the decisions, before moving on.',
    ),
  ];
}
