import type { HistoryRow } from '../../records.ts';
import type { TurnResult } from '../turn-result.ts';

/** The turn's section of TALK.md, the log that people read. */
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

/** An agent's words are quoted, so that they cannot pose as a section of the log. */
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
