import { describe, expect, it } from 'vitest';
import { foldActivity } from './activity.ts';

const count = (sessionId: string, bucket: number, type: string, lastMicros: number, n = 1) => ({
  sessionId,
  bucket,
  type,
  count: n,
  lastMicros,
});

describe('activity over time', () => {
  it('adds sessions up under their key, with what was allowed, asked, denied and deposited', () => {
    const actors = new Map([
      ['s1', 'ada'],
      ['s2', 'ada'],
      ['s3', 'bot'],
    ]);
    const folded = foldActivity(
      [
        count('s1', 0, 'action.approved', 10, 3),
        count('s2', 0, 'action.denied', 20),
        count('s2', 2, 'inbox.opened', 90, 2),
        count('s3', 1, 'package.deposited', 40),
        count('s3', 1, 'carp.refused', 50),
        count('unknown', 1, 'fact.asserted', 60),
      ],
      3,
      (sessionId) => actors.get(sessionId),
    );
    expect(folded).toEqual([
      {
        key: 'ada',
        events: [4, 0, 2],
        allowed: [3, 0, 0],
        asked: [0, 0, 2],
        denied: [1, 0, 0],
        packages: [0, 0, 0],
        total: 6,
        lastMicros: 90,
      },
      {
        key: 'bot',
        events: [0, 2, 0],
        allowed: [0, 0, 0],
        asked: [0, 0, 0],
        denied: [0, 1, 0],
        packages: [0, 1, 0],
        total: 2,
        lastMicros: 50,
      },
    ]);
  });

  it('leaves out what is written after the last interval', () => {
    expect(foldActivity([count('s', 3, 'fact.asserted', 1)], 3, (id) => id)).toEqual([]);
  });
});
