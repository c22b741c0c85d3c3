import type { LooseRecord } from '../../../../kernel/json/loose.ts';
import { cited, inline, named, quoted } from '../../../../kernel/quoted.ts';
import { type GovernedConfig, routeOf } from '../../config/config.ts';
import { RESERVED_PATHS } from '../../path-rules.ts';
import type { HistoryRow, RepoDecision } from '../../records.ts';
import type { ActiveTurn, RunState } from '../../run-state.ts';

/** ASSIGNMENT.json: what the turn is, for programs. */
export function assignmentDocument(
  state: RunState,
  config: GovernedConfig,
  turn: ActiveTurn,
  stagingPath: string,
  warnings: readonly string[] = [],
): LooseRecord {
  const siblings = Object.values(state.active_turns)
    .filter((other) => other.turn_id !== turn.turn_id)
    .map((other) => ({ turn_id: other.turn_id, role: other.assigned_role, status: other.status }));
  return {
    run_id: state.run_id,
    turn_id: turn.turn_id,
    phase: state.phase,
    role: turn.assigned_role,
    runtime_id: turn.runtime_id,
    write_authority: config.roles[turn.assigned_role]?.write_authority ?? 'authoritative',
    accepted_integration_ref: state.accepted_integration_ref,
    staging_result_path: stagingPath,
    reserved_paths: RESERVED_PATHS,
    allowed_next_roles: routeOf(config, state.phase)?.allowed_next_roles ?? [
      ...Object.keys(config.roles),
      'human',
    ],
    attempt: turn.attempt,
    deadline_at: turn.deadline_at,
    assigned_sequence: turn.assigned_sequence,
    budget_reservation_usd: state.budget_reservations[turn.turn_id] ?? null,
    active_siblings: siblings,
    ...(turn.conflict_context === undefined ? {} : { conflict_context: turn.conflict_context }),
    ...(turn.delegation_context === undefined ? {} : { delegation_context: turn.delegation_context }),
    ...(turn.delegation_review === undefined ? {} : { delegation_review: turn.delegation_review }),
    ...(warnings.length > 0 ? { advisory_warnings: warnings } : {}),
  };
}

const RECENT_TURNS = 5;
/** Characters of one text of an agent or a person in a prompt. */
export const MOST = 4000;

/** CONTEXT.md: what the agent should know of the run so far. */
export function contextText(
  state: RunState,
  history: readonly HistoryRow[],
  decisions: readonly RepoDecision[],
): string {
  const recent = history.slice(-RECENT_TURNS);
  const sections = [
    '# Context',
    `Phase ${named(state.phase)}; ${history.length} turn(s) accepted; spent ${state.budget_status.spent_usd} USD.`,
    decisions.length > 0
      ? `## Decisions that hold in this repository\n\n${bulleted(decisions.map((row) => `${named(row.id)} (${named(row.role)}, ${named(row.category)}): ${cited(row.statement, MOST)}`))}`
      : '',
    ...recent.map(
      (row) =>
        `## Turn ${row.accepted_sequence}: ${named(row.role)} in ${named(row.phase)} (${named(row.status)})\n\n${quoted(row.summary, MOST)}${openObjections(row)}`,
    ),
    state.last_gate_failure === null
      ? ''
      : `## The gate failed\n\n${bulleted(state.last_gate_failure.reasons.map((reason) => inline(reason)))}`,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function openObjections(row: HistoryRow): string {
  const objections = Array.isArray(row.objections)
    ? (row.objections as { id: string; severity: string; statement: string; status?: string }[])
    : [];
  const open = objections.filter((objection) => !String(objection.status ?? 'raised').startsWith('resolved'));
  if (open.length === 0) return '';
  return `\n\nObjections:\n${bulleted(open.map((objection) => `${named(objection.id)} (${named(objection.severity)}): ${cited(objection.statement, MOST)}`))}`;
}

/** Of items that are already safe to show. */
export function bulleted(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
