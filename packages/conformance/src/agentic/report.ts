import { inline } from '../../../../src/kernel/quoted.ts';
import { visibleJson } from '../../../../src/kernel/visible-text.ts';
import { type Result, type SuiteReport, unobservable } from './run.ts';

export type ReportForm = 'json' | 'junit' | 'md' | 'text';

export function renderReport(report: SuiteReport, form: ReportForm): string {
  if (form === 'json') return `${visibleJson(JSON.stringify(plain(report), null, 2))}\n`;
  if (form === 'junit') return junit(report);
  return form === 'md' ? markdown(report) : text(report);
}

function plain(report: SuiteReport) {
  const results = report.results.map(({ check: { run: _, ...check }, outcome, message = null, seconds }) => ({
    ...check,
    outcome,
    message,
    seconds: Number(seconds.toFixed(3)),
  }));
  return { ...report, unobservable, results };
}

function verdict(report: SuiteReport): string {
  const counts = (outcome: string) => report.results.filter((result) => result.outcome === outcome).length;
  return `${report.reached ?? 'no level'} reached (${report.wanted} wanted): ${counts('pass')} passed, ${counts('fail')} failed, ${counts('warn')} warned, ${counts('skip')} skipped`;
}

function text(report: SuiteReport): string {
  const lines = report.results
    .filter(({ outcome }) => outcome !== 'pass')
    .map(
      (result) =>
        `${result.outcome.padEnd(4)}  ${title(result)}\n      ${inline(result.message ?? '', 1000)}`,
    );
  return [...lines, verdict(report), ''].join('\n');
}

function title({ check }: Result): string {
  return `${check.id} (${check.level} ${check.weight}, §${check.section}) ${check.title}`;
}

function markdown(report: SuiteReport): string {
  const row = ({ check, outcome, message }: Result) =>
    `| ${check.id} | ${check.level} | ${check.weight} | ${check.section} | ${cell(check.title)} | ${outcome} | ${cell(message ?? '')} |`;
  return [
    '# Agentic Protocol 0.1: conformance',
    '',
    `${report.url}: **${verdict(report)}**. Suite ${report.suite_version}.`,
    '',
    '| check | level | weight | § | requirement | outcome | seen |',
    '|---|---|---|---|---|---|---|',
    ...report.results.map(row),
    '',
    'Not observable from outside:',
    ...Object.entries(unobservable).map(([id, why]) => `- ${id}: ${why}`),
    '',
  ].join('\n');
}

function cell(text: string): string {
  return inline(text, 1000).replaceAll('|', '\\|');
}

function junit(report: SuiteReport): string {
  const cases = report.results.map(({ check, outcome, message, seconds }) => {
    const inner =
      outcome === 'fail'
        ? `<failure message="${xml(message ?? '')}"/>`
        : outcome === 'skip' || outcome === 'warn'
          ? `<skipped message="${xml(`${outcome}: ${message ?? ''}`)}"/>`
          : '';
    return `  <testcase classname="agentic.${check.level}" name="${xml(`${check.id} ${check.title}`)}" time="${seconds.toFixed(3)}">${inner}</testcase>`;
  });
  const failures = report.results.filter(({ outcome }) => outcome === 'fail').length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="agentic-protocol-0.1" tests="${cases.length}" failures="${failures}">`,
    ...cases,
    '</testsuite>',
    '',
  ].join('\n');
}

function xml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return inline(text, 1000).replaceAll(/[&<>"]/g, (one) => names[one]!);
}
