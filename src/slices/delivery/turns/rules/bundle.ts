import type { HistoryRow, RepoDecision } from '../../records.ts';
import type { RunState } from '../../run-state.ts';
import { bulleted, quoted } from './quote.ts';

const RECENT_TURNS = 5;

/** CONTEXT.md: what the agent should know of the run so far. */
export function contextText(
  state: RunState,
  history: readonly HistoryRow[],
  decisions: readonly RepoDecision[],
): string {
  const recent = history.slice(-RECENT_TURNS);
  const sections = [
    '# Context',
    `Phase \`${state.phase}\`; ${history.length} turn(s) accepted; spent ${state.budget_status.spent_usd} USD.`,
    decisions.length > 0
      ? `## Decisions that hold in this repository\n\n${bulleted(decisions.map((row) => `${row.id} (${row.role}, ${row.category}): ${row.statement}`))}`
      : '',
    ...recent.map(
      (row) =>
        `## Turn ${row.accepted_sequence}: ${row.role} in ${row.phase} (${row.status})\n\n${quoted(row.summary)}${openObjections(row)}`,
    ),
    state.last_gate_failure === null
      ? ''
      : `## The gate failed\n\n${bulleted(state.last_gate_failure.reasons)}`,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function openObjections(row: HistoryRow): string {
  const objections = Array.isArray(row.objections)
    ? (row.objections as { id: string; severity: string; statement: string; status?: string }[])
    : [];
  const open = objections.filter((objection) => !String(objection.status ?? 'raised').startsWith('resolved'));
  if (open.length === 0) return '';
  return `\n\nObjections:\n${bulleted(open.map((objection) => `${objection.id} (${objection.severity}): ${objection.statement}`))}`;
}
