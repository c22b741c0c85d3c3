import type { ConformanceReport, TierReport } from './report.ts';

/** The report as a person reads it in a terminal. */
export function reportText(report: ConformanceReport): string {
  const lines = [`${report.implementation} against ${report.fixture_root}`, ''];
  for (const [name, tier] of Object.entries(report.results)) lines.push(...tierLines(name, tier));
  lines.push(`Overall: ${report.overall}`);
  return `${lines.join('\n')}\n`;
}

function tierLines(name: string, tier: TierReport): string[] {
  const lines = [
    `${name.replace('_', ' ')}: ${tier.status}, ${tier.fixtures_passed} of ${tier.fixtures_run} pass${tier.note ? ` (${tier.note})` : ''}`,
  ];
  for (const [surface, tally] of Object.entries(tier.surfaces)) {
    lines.push(
      `  ${surface.padEnd(24)} ${tally.passed} passed, ${tally.failed} failed, ${tally.errored} errors, ${tally.not_implemented} not implemented`,
    );
  }
  for (const problem of [...tier.failures, ...tier.errors])
    lines.push(`  ! ${problem.fixture_id}: ${problem.message}`);
  lines.push('');
  return lines;
}
