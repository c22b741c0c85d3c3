import type { LooseRecord } from '../../../../src/kernel/json/loose.ts';
import { firstMismatch } from '../../../../src/slices/delivery/conformance/match.ts';
import { type Answer, brokenAnswer } from './target.ts';

/**
 * A verifier that believes whatever status an adapter prints proves nothing. Strictly taken, a pass has to show what
 * happened, and what happened has to be what was expected.
 */
export function gradeStrictly(fixture: LooseRecord, answer: Answer): Answer {
  if (answer.status !== 'pass') return answer;
  if (answer.actual === null || answer.actual === undefined) {
    return brokenAnswer('The adapter claims a pass without showing `actual`.');
  }
  const mismatch = firstMismatch(fixture.expected, answer.actual);
  if (mismatch === null) return answer;
  return {
    status: 'fail',
    message: `The adapter claims a pass, but its \`actual\` differs at ${mismatch}.`,
    actual: answer.actual,
  };
}
