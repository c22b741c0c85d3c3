import { asRecord, isString, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { cited, inline, named, quoted } from '../../../../kernel/quoted.ts';
import { visible, visibleJson } from '../../../../kernel/visible-text.ts';
import { finalPhase, type GovernedConfig, nextPhase, routeOf } from '../../config/config.ts';
import { nextDecisionId } from '../../decisions/rules.ts';
import type { GateFindings } from '../../gates/rules/predicates.ts';
import { RESERVED_PATHS } from '../../path-rules.ts';
import type { LedgerRow } from '../../records.ts';
import type { ActiveTurn, RunState } from '../../run-state.ts';
import { bulleted, MOST } from './bundle.ts';

export interface PromptInput {
  readonly state: RunState;
  readonly config: GovernedConfig;
  readonly turn: ActiveTurn;
  readonly stagingPath: string;
  readonly ledger: readonly LedgerRow[];
  /** What the project's own file says to this role; absent without one. */
  readonly instructions?: string;
  /** How the gate of this phase would decide now; undefined if there is none. */
  readonly gate: (GateFindings & { readonly name: string; readonly files: readonly string[] }) | undefined;
}

/** PROMPT.md: what the agent should do, what it may do, and the exact answer that will be accepted. */
export function promptText(input: PromptInput): string {
  const { state, config, turn } = input;
  const role = config.roles[turn.assigned_role];
  const sections = [
    `# Turn ${named(turn.turn_id)}: ${inline(role?.title ?? turn.assigned_role)}`,
    `You are the role ${named(turn.assigned_role)} in phase ${named(state.phase)} of run ${named(state.run_id ?? '')}, attempt ${turn.attempt}.`,
    `## Your mandate\n\n${visible(role?.mandate ?? '')}${config.project.goal ? `\n\nGoal of the project:\n\n${quoted(config.project.goal, MOST)}` : ''}`,
    intentText(state),
    `## What you may write\n\n${authorityText(role?.write_authority)}\nNever touch:\n${bulleted(RESERVED_PATHS)}`,
    input.instructions === undefined ? '' : `## Instructions for this role\n\n${visible(input.instructions)}`,
    rejectionText(turn),
    delegationText(turn),
    conflictText(turn),
    gateText(input),
    answerText(input),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** Whoever filed it is no more trusted than any other author. */
function intentText(state: RunState): string {
  const intent = asRecord(asRecord(state.inherited_context).intent);
  if (!isString(intent.title)) return '';
  const body = isString(intent.body) && intent.body !== '' ? `\n\n${quoted(intent.body, MOST)}` : '';
  return `## What this run is for\n\n${quoted(intent.title, MOST)}${body}`;
}

function authorityText(authority: string | undefined): string {
  if (authority === 'review_only') {
    return 'You review. Write only below `.planning/` and `.agentxchain/reviews/`, use artifact type `review`, and raise at least one objection.\n';
  }
  if (authority === 'proposed') {
    return 'You propose. Do not write into the work tree; list every change in `proposed_changes` and use artifact type `patch`.\n';
  }
  return 'You may change the work tree. List every file that you change in `files_changed`: undeclared changes are refused.\n';
}

function rejectionText(turn: ActiveTurn): string {
  const rejection = turn.last_rejection;
  if (rejection === undefined) return '';
  const errors =
    rejection.validation_errors.length > 0
      ? `\n\n${bulleted(rejection.validation_errors.map((error) => inline(error, 500)))}`
      : '';
  return `## Why your last attempt was sent back\n\n${quoted(rejection.reason, MOST)}${errors}`;
}

function delegationText(turn: ActiveTurn): string {
  const { delegation_context: charge, delegation_review: review } = turn;
  if (charge !== undefined) {
    const ids =
      charge.required_decision_ids.length > 0
        ? `\n\nDecisions asked of you: ${names(charge.required_decision_ids)}`
        : '';
    return `## Delegated to you by ${named(charge.parent_role)}\n\n${quoted(charge.charter, MOST)}\n\nDone when:\n${bulleted(charge.acceptance_contract.map((condition) => cited(condition, MOST)))}${ids}`;
  }
  if (review === undefined) return '';
  const children = review.delegations.map(
    (child) =>
      `${named(child.delegation_id)} (${named(child.to_role)}): ${named(child.status)}, verification ${named(child.verification)}${child.missing_decision_ids.length > 0 ? `, missing ${names(child.missing_decision_ids)}` : ''}. ${cited(child.summary, MOST)}`,
  );
  return `## Review what you delegated\n\n${bulleted(children)}`;
}

function conflictText(turn: ActiveTurn): string {
  const conflict = turn.conflict_context;
  if (conflict === undefined) return '';
  return `## Conflict\n\nOther turns (${names(conflict.accepted_since)}) changed these files since. Start from how they are now:\n${bulleted(conflict.conflicting_files.map((path) => named(path, MOST)))}`;
}

function gateText({ config, state, gate }: PromptInput): string {
  const next = nextPhase(config, state.phase);
  const ask =
    state.phase === finalPhase(config)
      ? 'When the run is done, set `run_completion_request` to true.'
      : `When the phase is done, set \`phase_transition_request\` to ${named(next ?? '')}.`;
  if (gate === undefined) return `## Moving on\n\n${ask}`;
  const open =
    gate.reasons.length > 0
      ? `\n\nThe gate ${named(gate.name)} would fail now:\n${bulleted(gate.reasons.map((reason) => inline(reason)))}`
      : '';
  const files =
    gate.files.length > 0
      ? `\n\nThe gate reads:\n${bulleted(gate.files.map((path) => named(path, MOST)))}`
      : '';
  return `## Moving on\n\n${ask}${files}${open}`;
}

function answerText(input: PromptInput): string {
  const { config, state, turn, stagingPath } = input;
  const allowed = routeOf(config, state.phase)?.allowed_next_roles ?? [...Object.keys(config.roles), 'human'];
  return [
    '## Your answer',
    '',
    `Write one JSON object to \`${stagingPath}\`. \`proposed_next_role\` is one of: ${names(allowed)}. New decisions start at ${nextDecisionId(input.ledger)}.`,
    '',
    '```json',
    visibleJson(JSON.stringify(resultTemplate(state, config, turn), null, 2)),
    '```',
    '',
    'Replace every value in angle brackets. `status` is completed, blocked, needs_human (with `needs_human_reason`) or failed. Decision categories: implementation, architecture, scope, process, quality, release; add `"durability": "repo"` to what should outlive this run. Objections: severity low, medium, high or blocking. `verification.status` is pass, fail or skipped; a pass that lists a command with an unexpected exit code is refused.',
  ].join('\n');
}

function names(ids: readonly string[]): string {
  return ids.map((id) => named(id)).join(', ');
}

/** A template of the answer; a blank that is left unfilled is refused. */
export function resultTemplate(state: RunState, config: GovernedConfig, turn: ActiveTurn): LooseRecord {
  const authority = config.roles[turn.assigned_role]?.write_authority;
  const review = authority === 'review_only';
  return {
    schema_version: '1.0',
    run_id: state.run_id,
    turn_id: turn.turn_id,
    role: turn.assigned_role,
    runtime_id: turn.runtime_id,
    status: 'completed',
    summary: '<what you did and why>',
    decisions: [],
    objections: review
      ? [{ id: 'OBJ-001', severity: 'medium', statement: '<what you object to>', status: 'raised' }]
      : [],
    files_changed: review || authority === 'proposed' ? [] : ['<path of each changed file>'],
    ...(authority === 'proposed'
      ? { proposed_changes: [{ path: '<path>', action: 'modify', content: '<whole new content>' }] }
      : {}),
    verification: {
      status: 'pass',
      commands: ['<command that you ran>'],
      evidence_summary: '<what it showed>',
      machine_evidence: [{ command: '<command that you ran>', exit_code: 0 }],
    },
    artifact: { type: review ? 'review' : authority === 'proposed' ? 'patch' : 'workspace' },
    proposed_next_role: '<one of the allowed roles>',
    phase_transition_request: null,
    run_completion_request: null,
  };
}
