import { describe, expect, it } from 'vitest';
import { reportGithub, reportJunit } from './ci-report.ts';
import type { RunReport } from './report.ts';

const report = (changes: Partial<RunReport> = {}): RunReport => ({
  project: 'A & B',
  runId: 'run_1',
  status: 'blocked',
  phase: 'qa',
  attached: false,
  spentUsd: 0,
  turns: [
    {
      role: 'dev',
      phase: 'implementation',
      summary: 'Built <it>',
      duration_ms: 1500,
      files_changed: ['src/a.ts'],
    },
    {
      role: 'qa',
      phase: 'qa',
      summary: 'x\n::error::forged',
      verification: { status: 'fail' },
      files_changed: ['a,b:c'],
    },
  ],
  decisions: [],
  objections: [
    { id: 'OBJ-001', role: 'qa', severity: 'low', statement: 'No\n::stop-commands::x', status: 'raised' },
  ],
  gates: { plan: 'passed', ship: 'pending', built: 'failed' },
  approvals: [],
  delegations: [],
  hooks: [],
  blockedOn: 'human:x',
  next: 'baton run resume',
  ...changes,
});

describe('a report for a pipeline', () => {
  it('is JUnit’s XML, with a case for each turn, each gate and the run', () => {
    const text = reportJunit(report());
    expect(text).toContain('<testsuite name="A &amp; B" tests="6" failures="3" skipped="1">');
    expect(text).toContain('name="dev: Built &lt;it&gt;" time="1.5"/>');
    expect(text).toContain('<failure message="Blocked on human:x. Next: baton run resume"/>');
    expect(reportJunit(report({ status: 'completed', turns: [], gates: {} }))).toContain('failures="0"');
  });

  it('is GitHub’s annotations, which no agent’s text can forge', () => {
    const lines = reportGithub(report()).trim().split('\n');
    expect(lines.every((line) => /^::(error|warning|notice) /.test(line))).toBe(true);
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^::error file=a%2Cb%3Ac,title=turns\.qa qa%3A x::/);
    expect(lines.at(-1)).toBe('::notice title=run run_1::blocked. Next: baton run resume');
  });
});
