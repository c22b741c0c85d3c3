import type { Hasher } from '../../../kernel/hasher.ts';
import { asList, asRecord, isString, type LooseRecord } from '../../../kernel/json/loose.ts';
import { cited, inline, named } from '../../../kernel/quoted.ts';
import { FILES } from '../repository/paths.ts';
import type { RunState } from '../run-state.ts';
import { UNATTACHED } from './attachment.ts';
import { exported, requireVerifiedExport } from './export.ts';
import { nextCommand } from './rules/next-command.ts';

/** The outcome of a run, from a verified export only: a report about altered files would be false. */
export interface RunReport {
  readonly project: string;
  readonly runId: string | null;
  readonly status: string;
  readonly phase: string;
  readonly spentUsd: number;
  readonly turns: readonly LooseRecord[];
  readonly decisions: readonly LooseRecord[];
  readonly objections: readonly LooseRecord[];
  readonly gates: Readonly<Record<string, string>>;
  readonly approvals: readonly LooseRecord[];
  readonly delegations: readonly LooseRecord[];
  readonly hooks: readonly LooseRecord[];
  readonly blockedOn: string | null;
  /** Whether its gates are decided with a credential, or by whoever can write the files. */
  readonly attached: boolean;
  readonly next: string;
}

export function reportOf(document: unknown, hasher: Hasher): RunReport {
  const verified = requireVerifiedExport(document, hasher);
  const rows = (path: string) => asList(exported(verified, path)).map(asRecord);
  const state = asRecord(exported(verified, FILES.state)) as unknown as RunState;
  const own = (row: LooseRecord) => row.run_id === state.run_id;
  const turns = rows(FILES.history).filter(own);
  const ledger = rows(FILES.ledger).filter(own);
  return {
    project: String(asRecord(asRecord(exported(verified, FILES.config)).project).name ?? ''),
    runId: state.run_id,
    status: state.status,
    phase: state.phase,
    spentUsd: state.budget_status?.spent_usd ?? 0,
    attached: exported(verified, FILES.attached) !== undefined,
    turns,
    decisions: ledger.filter((row) => isString(row.id)),
    objections: turns.flatMap((turn) =>
      asList(turn.objections).map((raw) => ({ turn_id: turn.turn_id, role: turn.role, ...asRecord(raw) })),
    ),
    gates: state.phase_gate_status ?? {},
    approvals: ledger.filter((row) => isString(row.decision) && row.decision.endsWith('_approved')),
    delegations: turns.flatMap((turn) => asList(turn.delegations_issued).map(asRecord)),
    hooks: rows(FILES.hookAudit).filter(own),
    blockedOn: state.blocked_on,
    next: nextCommand(state),
  };
}

/** Characters of one text in a report. */
const MOST = 2000;

/** The report as Markdown, which also reads well as plain text. */
export function reportMarkdown(report: RunReport): string {
  const lines = [
    `# ${cited(report.project)}: run ${report.runId === null ? '(none)' : named(report.runId)}`,
    '',
    `Status **${named(report.status)}** in phase **${named(report.phase)}**, ${report.turns.length} accepted turn(s), ${report.spentUsd} USD.`,
    ...(report.blockedOn === null ? [] : ['', `Waits for: ${inline(report.blockedOn)}`]),
    ...section('Turns', report.turns.map(turnLine)),
    ...section(
      'Decisions',
      report.decisions.map(
        (row) => `${name(row.id)} by ${name(row.role)} (${name(row.category)}): ${text(row.statement)}`,
      ),
    ),
    ...section(
      'Objections',
      report.objections.map(
        (row) =>
          `${name(row.id)} by ${name(row.role)} (${name(row.severity)}, ${name(row.status ?? 'raised')}): ${text(row.statement)}`,
      ),
    ),
    ...section(
      'Gates',
      Object.entries(report.gates).map(([gate, status]) => `${named(gate)}: ${named(status)}`),
    ),
    ...(report.attached ? [] : ['', UNATTACHED]),
    ...section(
      'Approvals',
      report.approvals.map(
        (row) => `${name(row.gate)} by ${name(row.approved_by ?? 'operator')} at ${name(row.created_at)}`,
      ),
    ),
    ...section(
      'Delegations',
      report.delegations.map((row) => `${name(row.id)} to ${name(row.to_role)}: ${text(row.charter)}`),
    ),
    ...section(
      'Hooks',
      report.hooks.map(
        (row) => `${name(row.hook_phase)} ${name(row.hook_name)}: ${name(row.orchestrator_action)}`,
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
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(inline(report.project))}</title></head>\n<body>\n${body}\n</body></html>\n`;
}

function turnLine(row: LooseRecord): string {
  return `${name(row.accepted_sequence)}. ${name(row.role)} in ${name(row.phase)}: ${name(row.status)}, verification ${name(asRecord(row.verification).status)}. ${text(row.summary)}`;
}

function section(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', `## ${title}`, '', ...items.map((item) => `- ${item}`)];
}

function name(value: unknown): string {
  return value == null ? 'none' : named(String(value));
}

function text(value: unknown): string {
  return cited(String(value ?? ''), MOST);
}

function escapeHtml(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
