import type { HarnessReport } from './harness.ts';

/** One line for each example, and below it what is wrong. */
export function harnessText({ passed, examples }: HarnessReport): string {
  const lines = examples.flatMap(({ outcome, sessionId, verdicts }) => {
    const wrong = verdicts.filter(({ problems }) => problems.length > 0);
    const held = verdicts.length - wrong.length;
    return [
      `${wrong.length === 0 ? '✓' : '✗'}  worked example, ${outcome}: ${held} of ${verdicts.length} hold  (session ${sessionId})`,
      ...wrong.flatMap(({ name, problems }) => [`     ${name}`, ...problems.map((text) => `       ${text}`)]),
    ];
  });
  return `${[...lines, passed ? 'passed' : 'failed'].join('\n')}\n`;
}
