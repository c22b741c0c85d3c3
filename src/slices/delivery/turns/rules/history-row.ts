import { formatMillis, parseInstant } from '../../../../kernel/instant.ts';
import type { HistoryRow } from '../../records.ts';
import type { TurnResult } from '../turn-result.ts';
import type { AcceptanceInput } from './judge.ts';
import { normalizedVerification } from './policies.ts';

export function historyRow(input: AcceptanceInput, result: TurnResult): HistoryRow {
  const { state, config, turn, observation, now } = input;
  const started = turn.started_at === null ? undefined : parseInstant(turn.started_at);
  return {
    turn_id: turn.turn_id,
    run_id: result.run_id,
    role: turn.assigned_role,
    runtime_id: turn.runtime_id,
    status: result.status,
    summary: result.summary,
    phase: state.phase,
    decisions: result.decisions,
    objections: result.objections,
    files_changed: result.files_changed,
    artifact: result.artifact,
    verification: result.verification,
    normalized_verification: normalizedVerification(result, config.runtimes[turn.runtime_id]?.type),
    observed_artifact: observation,
    proposed_next_role: result.proposed_next_role,
    phase_transition_request: result.phase_transition_request ?? null,
    run_completion_request: result.run_completion_request ?? null,
    needs_human_reason: result.needs_human_reason ?? null,
    cost: result.cost ?? null,
    attempt: turn.attempt,
    assigned_sequence: turn.assigned_sequence,
    accepted_sequence: state.accepted_sequence + 1,
    concurrent_with: turn.concurrent_with,
    accepted_at: formatMillis(now),
    duration_ms: started === undefined ? null : Math.max(0, Math.round((now - started.micros) / 1000)),
    ...(result.delegations?.length ? { delegations_issued: result.delegations } : {}),
    ...(turn.delegation_context === undefined ? {} : { delegation_context: turn.delegation_context }),
    ...(turn.delegation_review === undefined ? {} : { delegation_review: turn.delegation_review }),
  };
}

/** The turn's section in TALK.md, the log for people. */
export function talkSection(row: HistoryRow, result: TurnResult): string {
  const lines = [
    `## ${row.accepted_sequence}. ${row.role} in ${row.phase} (${row.turn_id})`,
    '',
    `${row.accepted_at} · ${row.status} · verification ${result.verification.status}`,
    '',
    quote(row.summary),
    ...list(
      'Decisions',
      result.decisions.map((item) => `${item.id} (${item.category}): ${oneLine(item.statement)}`),
    ),
    ...list(
      'Objections',
      result.objections.map((item) => `${item.id} (${item.severity}): ${oneLine(item.statement)}`),
    ),
    ...list(
      'Files',
      row.files_changed.map((path) => `\`${path}\``),
    ),
    '',
    `Next: ${result.proposed_next_role}`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}

/** Text from an agent is quoted, so that it cannot pose as a section of the log. */
function quote(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `> ${line}`)
    .join('\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', `${title}:`, ...items.map((item) => `- ${item}`)];
}
