/** The output of the Atlas file verbs, for people. */
import pc from 'picocolors';
import type { Analysis } from '../../../slices/governance/atlases/analysis/analyze.ts';
import type { AtlasDiff } from '../../../slices/governance/atlases/analysis/atlas-diff.ts';
import type { AtlasInfo, LintResult } from '../../../slices/governance/atlases/files/inspect.ts';
import type { Verified } from '../../../slices/governance/atlases/files/package.ts';
import type { AtlasTestOutcome } from '../../../slices/governance/atlases/files/test-atlas.ts';
import type { LockDrift } from '../../../slices/governance/atlases/rules/dependencies.ts';
import type { Finding } from '../../../slices/governance/atlases/rules/lint.ts';
import { forPeople } from '../output.ts';

const COLOURS = { error: pc.red, warning: pc.yellow, info: pc.dim } as const;

export function findingLines(findings: readonly Finding[]): string[] {
  const width = Math.max(0, ...findings.map(({ code }) => code.length));
  return findings.map(
    ({ severity, code, pointer, message }) =>
      `  ${COLOURS[severity](severity.padEnd(7))}  ${code.padEnd(width)}  ${forPeople(message)} ${pc.dim(`(${forPeople(pointer || 'top')})`)}`,
  );
}

export function lintText({ loadable, findings, warnings }: LintResult): string {
  const count = (severity: Finding['severity']) =>
    findings.filter((each) => each.severity === severity).length;
  const verdict = loadable ? pc.green('The Atlas can be loaded') : pc.red('The Atlas cannot be loaded');
  return [
    `${verdict}: ${counted(count('error'), 'error')}, ${counted(count('warning') + warnings.length, 'warning')}, ${counted(count('info'), 'note')}`,
    ...findingLines(findings),
    ...warnings.map((warning) => `  ${pc.yellow('warning')}  ${forPeople(warning)}`),
  ].join('\n');
}

export function infoText(info: AtlasInfo): string {
  const { dependencies, ...members } = info;
  const needs = Object.entries(dependencies).map(([id, range]) => `${id} ${range}`);
  const shown = Object.entries({ ...members, dependencies: needs })
    .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
    .filter(([, value]) => value !== '');
  return forPeople(Object.fromEntries(shown));
}

export function loadedText({
  atlas_id,
  version,
  mode,
  guardrail,
  warnings = [],
  action_count,
  policy_count,
}: {
  readonly guardrail: boolean;
  readonly warnings?: readonly string[];
  readonly atlas_id: string;
  readonly version: string;
  readonly mode: string;
  readonly action_count: number;
  readonly policy_count: number;
}): string {
  const policies = `${policy_count} ${policy_count === 1 ? 'policy' : 'policies'}`;
  return [
    `${pc.green('loaded')}: ${forPeople(`${atlas_id} ${version}`)}, ${counted(action_count, 'action')}, ${policies}`,
    ...(mode === 'log_only' ? [pc.yellow('  it only logs: what it would refuse still runs')] : []),
    ...(guardrail ? ['  it is a guardrail: its rules apply to every request of the project'] : []),
    ...warnings.map((warning) => `  ${pc.yellow('!')} ${forPeople(warning)}`),
  ].join('\n');
}

export function verifyText({ valid, problems, atlas_id, version, digest, signed_by }: Verified): string {
  return [
    `${valid ? pc.green('valid') : pc.red('not valid')}: ${forPeople(`${atlas_id} ${version}`)}`,
    ...problems.map((problem) => `  ${pc.red('✗')} ${forPeople(problem)}`),
    `  digest     ${forPeople(digest)}`,
    `  signed by  ${signed_by === null ? pc.dim('nobody') : forPeople(signed_by)}`,
  ].join('\n');
}

const SIGNS = { added: pc.green('+'), removed: pc.red('-'), changed: pc.yellow('~') } as const;

export function diffText({
  from,
  to,
  changes,
  decisions,
  complete,
  required_bump,
  version_ok,
}: AtlasDiff): string {
  const verdict = version_ok
    ? pc.green('fits')
    : pc.red(`does not fit: these changes ask for a ${required_bump} version`);
  return [
    `${from.version} → ${to.version} ${verdict}`,
    ...changes.map(
      ({ kind, what, id, message }) =>
        `  ${SIGNS[kind]} ${what.padEnd(12)}  ${forPeople(id)}  ${pc.dim(forPeople(message))}`,
    ),
    ...(decisions.length > 0 ? ['', pc.bold('Decided differently')] : []),
    ...decisions.map(
      ({ action_id, before, after, counterexample }) =>
        `  ${forPeople(action_id)}: ${verdictText(before)} → ${verdictText(after)} ${pc.dim(forPeople(counterexample.words))}`,
    ),
    ...incomplete(complete),
  ].join('\n');
}

export function verdictText(verdict: { effect: string; policy_id: string } | null): string {
  return verdict === null ? 'unknown' : forPeople(`${verdict.effect} (${verdict.policy_id})`);
}

export function analysisText({ findings, complete }: Analysis): string {
  if (findings.length === 0)
    return complete
      ? pc.green('Every policy matters, and every action can run.')
      : [pc.green('No fault was found.'), ...incomplete(complete)].join('\n');
  const lines = findings.flatMap(({ kind, message, counterexample }) => [
    `  ${pc.yellow(kind.padEnd(10))}  ${forPeople(message)}`,
    ...(counterexample
      ? [pc.dim(`              ${forPeople(`${counterexample.action_id} ${counterexample.words}`)}`)]
      : []),
  ]);
  return [counted(findings.length, 'finding'), ...lines, ...incomplete(complete)].join('\n');
}

function incomplete(complete: boolean): string[] {
  return complete
    ? []
    : [
        pc.yellow(
          'Not all cases can be tried: where they were not, nothing is said of rules that never decide.',
        ),
      ];
}

const NO_TESTS = [
  pc.yellow('The tests folder has nothing to run.'),
  '  Add tests/NAME.cases.json: {"cases": [{"name": "…", "action_id": "ticket.read", "expect": "allow"}]}',
  '  or a recorded trace as tests/NAME.trace.jsonl.',
].join('\n');

export function testText({ passed, enough, covered, results, coverage }: AtlasTestOutcome): string {
  if (results.length === 0) return NO_TESTS;
  const failed = results.filter((each) => !each.passed);
  const idle = coverage.filter(({ won }) => won === 0).map(({ policy_id }) => policy_id);
  return [
    `${passed ? pc.green('passed') : pc.red('failed')}: ${(passed ? results : failed).length} of ${counted(results.length, 'test')}, ${Math.round(covered * 100)} % of policies decided one`,
    ...failed.map(({ name, message = '' }) => `  ${pc.red('✗')} ${forPeople(name)}  ${forPeople(message)}`),
    ...(idle.length > 0 ? [pc.dim(`  never decided: ${forPeople(idle.join(', '))}`)] : []),
    ...halfTested(coverage).map((line) => pc.dim(`  ${forPeople(line)}`)),
    ...(enough ? [] : [pc.red('  fewer policies are covered than asked for')]),
  ].join('\n');
}

/** A test that has seen only one side of a condition would not notice that it is gone. */
function halfTested(coverage: AtlasTestOutcome['coverage']): string[] {
  return coverage
    .filter(({ won }) => won > 0)
    .flatMap(({ policy_id, conditions }) =>
      conditions
        .filter(({ held, failed }) => held === 0 || failed === 0)
        .map(({ condition, held }) =>
          held === 0
            ? `${policy_id}: no test fits ${condition}`
            : `${policy_id}: in every test, ${condition} fits`,
        ),
    );
}

export function driftText(drift: readonly LockDrift[]): string {
  if (drift.length === 0) return pc.green('The lock file is up to date.');
  return [
    pc.red('The lock file is out of date.'),
    ...drift.map(
      ({ atlasId, locked, found }) =>
        `  ${forPeople(atlasId)}: locked ${forPeople(locked ?? 'nothing')}, found ${forPeople(found ?? 'nothing')}`,
    ),
  ].join('\n');
}

export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
