import { asRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import type { RunReport } from './report.ts';

/** The report as Markdown, which also reads well as plain text. */
export function reportMarkdown(report: RunReport): string {
  const lines = [
    `# ${plain(report.project)}: run ${report.runId ?? '(none)'}`,
    '',
    `Status **${report.status}** in phase **${report.phase}**, ${report.turns.length} accepted turn(s), ${report.spentUsd} USD.`,
    ...(report.blockedOn === null ? [] : ['', `Waits for: ${report.blockedOn}`]),
    ...section('Turns', report.turns.map(turnLine)),
    ...section(
      'Decisions',
      report.decisions.map(
        (row) => `${text(row.id)} by ${text(row.role)} (${text(row.category)}): ${text(row.statement)}`,
      ),
    ),
    ...section(
      'Objections',
      report.objections.map(
        (row) =>
          `${text(row.id)} by ${text(row.role)} (${text(row.severity)}, ${text(row.status ?? 'raised')}): ${text(row.statement)}`,
      ),
    ),
    ...section(
      'Gates',
      Object.entries(report.gates).map(([gate, status]) => `${gate}: ${status}`),
    ),
    ...section(
      'Approvals',
      report.approvals.map(
        (row) => `${text(row.gate)} by ${text(row.approved_by ?? 'an operator')} at ${text(row.created_at)}`,
      ),
    ),
    ...section(
      'Delegations',
      report.delegations.map((row) => `${text(row.id)} to ${text(row.to_role)}: ${text(row.charter)}`),
    ),
    ...section(
      'Hooks',
      report.hooks.map(
        (row) => `${text(row.hook_phase)} ${text(row.hook_name)}: ${text(row.orchestrator_action)}`,
      ),
    ),
    '',
    `Next: \`${report.next}\``,
    '',
  ];
  return lines.join('\n');
}

export function reportHtml(report: RunReport): string {
  const body = reportMarkdown(report)
    .split('\n')
    .map((line) => {
      if (line.startsWith('# ')) return `<h1>${escapeHtml(line.slice(2))}</h1>`;
      if (line.startsWith('## ')) return `<h2>${escapeHtml(line.slice(3))}</h2>`;
      if (line.startsWith('- ')) return `<p class="item">${escapeHtml(line.slice(2))}</p>`;
      return line === '' ? '' : `<p>${escapeHtml(line)}</p>`;
    })
    .join('\n');
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(report.project)}</title></head>\n<body>\n${body}\n</body></html>\n`;
}

function turnLine(row: LooseRecord): string {
  return `${text(row.accepted_sequence)}. ${text(row.role)} in ${text(row.phase)}: ${text(row.status)}, verification ${text(asRecord(row.verification).status)}. ${text(row.summary)}`;
}

function section(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', `## ${title}`, '', ...items.map((item) => `- ${item}`)];
}

function text(value: unknown): string {
  return plain(String(value ?? ''));
}

/** Text from agents stays on one line and cannot add markup. */
function plain(value: string): string {
  return value.replaceAll(/\s+/g, ' ').replaceAll(/[<>`|]/g, (mark) => `\\${mark}`);
}

function escapeHtml(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
