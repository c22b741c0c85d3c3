import { formatMillis, parseInstant } from '../../../../kernel/instant.ts';
import { cited, named, quoted } from '../../../../kernel/quoted.ts';
import type { HistoryRow } from '../../records.ts';
import type { ActiveTurn } from '../../run-state.ts';
import type { TurnResult } from '../turn-result.ts';
import { markerOf, readBaseline } from './baseline.ts';
import type { AcceptanceInput } from './judge.ts';
import type { Observation } from './observation.ts';
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
    observed_artifact: observation && observedArtifact(turn, observation),
    ...(input.documents === undefined ? {} : { gate_documents: input.documents.written }),
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

/** What changed, as git saw it, in the form that every runner of the protocol writes. */
function observedArtifact(turn: ActiveTurn, { changed, head, commit }: Observation) {
  const base = readBaseline(turn.baseline)?.head ?? null;
  const accepted = commit ?? head;
  return {
    derived_by: 'orchestrator',
    baseline_ref: base === null ? null : `git:${base}`,
    accepted_ref: accepted === null ? 'workspace:dirty' : `git:${accepted}`,
    files_changed: Object.keys(changed).sort(),
    file_markers: Object.fromEntries(Object.entries(changed).map(([path, hash]) => [path, markerOf(hash)])),
    diff_summary: null,
    ...(commit === undefined ? {} : { commit }),
  };
}

/** Characters of one text in the log; the whole is in `history.jsonl`. */
const MOST = 4000;

/** The turn's section in TALK.md, the log for people. */
export function talkSection(row: HistoryRow, result: TurnResult): string {
  const lines = [
    `## ${row.accepted_sequence}. ${named(row.role)} in ${named(row.phase)} (${named(row.turn_id)})`,
    '',
    `${row.accepted_at} · ${named(row.status)} · verification ${named(result.verification.status)}`,
    '',
    quoted(row.summary, MOST),
    ...list(
      'Decisions',
      result.decisions.map(
        (item) => `${named(item.id)} (${named(item.category)}): ${cited(item.statement, MOST)}`,
      ),
    ),
    ...list(
      'Objections',
      result.objections.map(
        (item) => `${named(item.id)} (${named(item.severity)}): ${cited(item.statement, MOST)}`,
      ),
    ),
    ...list(
      'Files',
      row.files_changed.map((path) => named(path, MOST)),
    ),
    '',
    `Next: ${named(result.proposed_next_role)}`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', `${title}:`, ...items.map((item) => `- ${item}`)];
}
