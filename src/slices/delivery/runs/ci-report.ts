import { asRecord, asStrings, type LooseRecord } from '../../../kernel/json/loose.ts';
import { inline } from '../../../kernel/quoted.ts';
import type { RunReport } from './report.ts';

const MOST = 2000;

interface Case {
  readonly group: string;
  readonly name: string;
  readonly seconds: number;
  /** Why it failed; undefined if it passed. */
  readonly failure?: string;
  /** It has neither passed nor failed yet. */
  readonly pending?: true;
  readonly file?: string;
}

/** One case for each turn, each gate and the run itself. */
function casesOf(report: RunReport): readonly Case[] {
  const turns = report.turns.map((turn): Case => {
    const status = String(asRecord(turn.verification).status ?? 'skipped');
    const [file] = asStrings(turn.files_changed);
    const bad =
      status === 'fail'
        ? 'Its verification failed.'
        : turn.status === 'failed'
          ? 'The turn failed.'
          : undefined;
    return {
      group: `turns.${String(turn.phase)}`,
      name: `${String(turn.role)}: ${String(turn.summary).split('\n')[0]}`,
      seconds: typeof turn.duration_ms === 'number' ? turn.duration_ms / 1000 : 0,
      ...(bad !== undefined && { failure: bad }),
      ...(file !== undefined && { file }),
    };
  });
  const gates = Object.entries(report.gates).map(
    ([name, status]): Case => ({
      group: 'gates',
      name,
      seconds: 0,
      ...(status === 'failed' && { failure: 'The gate did not open.' }),
      ...(status === 'pending' && { pending: true as const }),
    }),
  );
  const run: Case = {
    group: 'run',
    name: report.runId ?? 'none',
    seconds: 0,
    ...(report.status === 'blocked' && {
      failure: `Blocked on ${report.blockedOn ?? 'something'}. Next: ${report.next}`,
    }),
    ...(report.status !== 'blocked' && report.status !== 'completed' && { pending: true as const }),
  };
  return [...turns, ...gates, run];
}

/** For CI systems that show test results. */
export function reportJunit(report: RunReport): string {
  const cases = casesOf(report);
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const skipped = cases.filter(({ pending }) => pending).length;
  const rows = cases.map(({ group, name, seconds, failure, pending }) => {
    const open = `    <testcase classname="${xml(group)}" name="${xml(name)}" time="${seconds}"`;
    if (failure !== undefined) return `${open}><failure message="${xml(failure)}"/></testcase>`;
    return pending ? `${open}><skipped message="pending"/></testcase>` : `${open}/>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${xml(report.project)}" tests="${cases.length}" failures="${failures}" skipped="${skipped}">`,
    ...rows,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** Workflow commands that GitHub shows beside the changes. */
export function reportGithub(report: RunReport): string {
  const failed = casesOf(report).flatMap(({ group, name, failure, file }) =>
    failure === undefined ? [] : [annotation('error', file, `${group} ${name}`, failure)],
  );
  const open = report.objections
    .filter((objection) => !String(objection.status ?? 'raised').startsWith('resolved'))
    .map((objection) =>
      annotation('warning', undefined, objectionTitle(objection), String(objection.statement)),
    );
  const notice = annotation(
    'notice',
    undefined,
    `run ${report.runId ?? ''}`,
    `${report.status}. Next: ${report.next}`,
  );
  return `${[...failed, ...open, notice].join('\n')}\n`;
}

function objectionTitle({ id, role, severity }: LooseRecord): string {
  return `${String(id)} by ${String(role)} (${String(severity)})`;
}

/** Texts of agents can hold neither a line break nor a delimiter, so they cannot begin a command of their own. */
function annotation(level: string, file: string | undefined, title: string, message: string): string {
  const data = (text: string) =>
    inline(text, MOST).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const where = file === undefined ? '' : `file=${property(file)},`;
  return `::${level} ${where}title=${property(title)}::${data(message)}`;
}

function xml(text: string): string {
  return inline(text, MOST)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
