import { inline } from '../../../../src/kernel/quoted.ts';
import type { FixtureFile } from './fixture-file.ts';
import type { Answer } from './target.ts';

export interface SurfaceTally {
  passed: number;
  failed: number;
  errored: number;
  not_implemented: number;
}

export interface Problem {
  readonly fixture_id: string;
  readonly surface: string;
  readonly message: string;
  readonly actual?: unknown;
}

export interface TierReport {
  status: 'pass' | 'fail' | 'error' | 'skipped';
  fixtures_run: number;
  fixtures_passed: number;
  fixtures_failed: number;
  fixtures_errored: number;
  fixtures_not_implemented: number;
  surfaces: Record<string, SurfaceTally>;
  failures: Problem[];
  errors: Problem[];
  not_implemented: Problem[];
  note?: string;
}

export interface ConformanceReport {
  readonly implementation: string;
  readonly protocol_version: string | null;
  readonly tier_requested: number;
  readonly timestamp: string;
  readonly target_root: string | null;
  readonly remote: string | null;
  readonly fixture_root: string;
  readonly results: Readonly<Record<string, TierReport>>;
  readonly overall: 'pass' | 'fail' | 'error';
}

export function emptyTier(): TierReport {
  return {
    status: 'pass',
    fixtures_run: 0,
    fixtures_passed: 0,
    fixtures_failed: 0,
    fixtures_errored: 0,
    fixtures_not_implemented: 0,
    surfaces: {},
    failures: [],
    errors: [],
    not_implemented: [],
  };
}

/** Counts one answer. An error outweighs a failure, because then the result cannot be relied on. */
export function record(tier: TierReport, fixture: FixtureFile, answer: Answer): void {
  tier.surfaces[fixture.surface] ??= { passed: 0, failed: 0, errored: 0, not_implemented: 0 };
  const tally = tier.surfaces[fixture.surface] as SurfaceTally;
  const problem = { fixture_id: fixture.fixture_id, surface: fixture.surface, message: answer.message };
  const counter = COUNTERS[answer.status];
  tier.fixtures_run += 1;
  tier[`fixtures_${counter}`] += 1;
  tally[counter] += 1;
  if (answer.status === 'not_implemented') tier.not_implemented.push(problem);
  if (answer.status === 'fail') tier.failures.push({ ...problem, actual: answer.actual });
  if (answer.status === 'error') tier.errors.push({ ...problem, actual: answer.actual });
  if (tier.errors.length > 0) tier.status = 'error';
  else if (tier.failures.length > 0) tier.status = 'fail';
}

const COUNTERS = {
  pass: 'passed',
  fail: 'failed',
  error: 'errored',
  not_implemented: 'not_implemented',
} as const;

export function overallOf(tiers: readonly TierReport[]): ConformanceReport['overall'] {
  const statuses = tiers.map((tier) => tier.status);
  if (statuses.includes('error')) return 'error';
  return statuses.includes('fail') ? 'fail' : 'pass';
}

export const EXIT_CODES = { pass: 0, fail: 1, error: 2 } as const;

/** The report as a person reads it in a terminal. */
export function reportText(report: ConformanceReport): string {
  const lines = [`${inline(report.implementation)} against ${inline(report.fixture_root)}`, ''];
  for (const [name, tier] of Object.entries(report.results)) lines.push(...tierLines(name, tier));
  lines.push(`Overall: ${report.overall}`);
  return `${lines.join('\n')}\n`;
}

function tierLines(name: string, tier: TierReport): string[] {
  const lines = [
    `${name.replace('_', ' ')}: ${tier.status}, ${tier.fixtures_passed} of ${tier.fixtures_run} pass${tier.note ? ` (${inline(tier.note)})` : ''}`,
  ];
  for (const [surface, tally] of Object.entries(tier.surfaces)) {
    lines.push(
      `  ${inline(surface).padEnd(24)} ${tally.passed} passed, ${tally.failed} failed, ${tally.errored} errors, ${tally.not_implemented} not implemented`,
    );
  }
  for (const problem of [...tier.failures, ...tier.errors])
    lines.push(`  ! ${inline(problem.fixture_id)}: ${inline(problem.message, 1000)}`);
  lines.push('');
  return lines;
}
