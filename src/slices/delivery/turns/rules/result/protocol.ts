import { isNonBlank } from '../../../../../kernel/json/loose.ts';
import { finalPhase, nextPhase, phasesOf } from '../../../config/rules/phases.ts';
import type { TurnResult } from '../../turn-result.ts';
import { delegationRuleFindings, reviewFindings } from './delegation.ts';
import { type Finding, finder, isLegalNext, roleOf, type StageReport, type TurnContext } from './stage.ts';

const fault = finder('protocol_error');

/** These two are compared byte for byte by the conformance corpus. */
const CHALLENGE = 'review_only role must raise at least one objection';
const EXCLUSIVE = 'phase_transition_request and run_completion_request cannot both be present';

export function protocolStage(result: TurnResult, context: TurnContext): StageReport {
  return {
    findings: [
      ...challengeFindings(result, context),
      ...nextRoleFindings(result, context),
      ...requestFindings(result, context),
      ...delegationRuleFindings(result, context),
      ...reviewFindings(result, context),
    ],
    warnings:
      result.status === 'needs_human' && !isNonBlank(result.needs_human_reason)
        ? ['needs_human without a needs_human_reason: the person will not know what is asked.']
        : [],
  };
}

function challengeFindings(result: TurnResult, context: TurnContext): Finding[] {
  if (!context.config.challengeRequired || roleOf(context)?.write_authority !== 'review_only') return [];
  if (result.objections.length > 0) return [];
  return [
    fault(
      'objections',
      CHALLENGE,
      'Raise what you would change, however small.',
      'challenge_requirement_violated',
    ),
  ];
}

function nextRoleFindings(result: TurnResult, context: TurnContext): Finding[] {
  const next = result.proposed_next_role;
  if (isLegalNext(context, next) || (next === 'human' && result.status !== 'completed')) return [];
  return [
    fault(
      'proposed_next_role',
      `"${next}" may not follow in phase "${context.state.phase}".`,
      `See routing.${context.state.phase}.allowed_next_roles.`,
    ),
  ];
}

function requestFindings(result: TurnResult, { config, state }: TurnContext): Finding[] {
  const target = result.phase_transition_request ?? null;
  const completes = result.run_completion_request === true;
  const findings: Finding[] = [];
  if (target !== null && completes) {
    findings.push(
      fault('phase_transition_request', EXCLUSIVE, 'Ask for one of them.', 'mutually_exclusive_requests'),
    );
  }
  if (target !== null)
    findings.push(...targetFindings(target, phasesOf(config), nextPhase(config, state.phase)));
  const routed = Object.keys(config.routing).length > 0;
  if (completes && routed && state.phase !== finalPhase(config)) {
    findings.push(
      fault(
        'run_completion_request',
        `Phase "${state.phase}" is not the last one.`,
        `Ask for phase_transition_request "${nextPhase(config, state.phase) ?? finalPhase(config)}" instead.`,
      ),
    );
  }
  return findings;
}

function targetFindings(target: string, phases: readonly string[], next: string | undefined): Finding[] {
  const field = 'phase_transition_request';
  if (!phases.includes(target)) {
    return [fault(field, `"${target}" is not a phase of this run.`, `The phases are: ${phases.join(', ')}.`)];
  }
  if (target === next) return [];
  const way = next === undefined ? 'Ask for run_completion_request instead.' : `Ask for "${next}".`;
  return [fault(field, `"${target}" is not the next phase.`, way)];
}
