import { describe, expect, it } from 'vitest';
import { classOfStatus, failureOf, PeerFailure } from './failure.ts';
import { violatesStar } from './rules.ts';

describe('the star', () => {
  it.each([
    ['orchestrator', 'worker', false],
    ['worker', 'orchestrator', false],
    ['worker', 'worker', true],
    ['worker', undefined, true],
    [undefined, undefined, false],
  ])('from %s to %s is violated: %s', (sender, target, violated) => {
    expect(violatesStar(sender, target)).toBe(violated);
  });
});

describe('a failure', () => {
  it('has its class from what happened', () => {
    expect(failureOf(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })).failureClass).toBe(
      'peer_disconnect',
    );
    expect(failureOf(Object.assign(new Error('404'), { code: 'ETIMEDOUT' })).failureClass).toBe('timeout');
    expect(failureOf(new Error('timeout 404 reset')).failureClass).toBe('unknown');
    const own = new PeerFailure('peer_404', 'gone', 404);
    expect(failureOf(own)).toBe(own);
    expect([429, 401, 404, 500, 504, 400].map(classOfStatus)).toEqual([
      'peer_busy',
      'peer_auth',
      'peer_404',
      'peer_5xx',
      'timeout',
      undefined,
    ]);
  });
});
