import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sharedRun } from './shared-run.ts';

describe('work that is shared', () => {
  const never = new AbortController().signal;

  it('runs once at a time for a crowd, and again for those who came while it ran', async () => {
    let running = 0;
    let most = 0;
    let runs = 0;
    const run = sharedRun(async (_: string) => {
      running += 1;
      most = Math.max(most, running);
      await sleep(5);
      running -= 1;
      runs += 1;
      return runs;
    });
    const first = Array.from({ length: 50 }, () => run('all', never));
    await sleep(1);
    const later = Array.from({ length: 50 }, () => run('all', never));
    expect(new Set(await Promise.all(first))).toEqual(new Set([1]));
    expect(new Set(await Promise.all(later))).toEqual(new Set([2]));
    expect({ most, runs }).toEqual({ most: 1, runs: 2 });
    expect(await run('all', never)).toBe(3);
  });

  it('stops when the last who waits has gone, not the first', async () => {
    const stops: AbortSignal[] = [];
    const run = sharedRun((_: string, signal) => {
      stops.push(signal);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const [one, other] = [new AbortController(), new AbortController()];
    const waiting = Promise.allSettled([run('all', one.signal), run('all', other.signal)]);
    await sleep(1);
    one.abort();
    expect(stops[0]?.aborted).toBe(false);
    other.abort();
    expect(stops[0]?.aborted).toBe(true);
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('goes on after a run that failed', async () => {
    let fails = true;
    const run = sharedRun(async (_: string) => {
      if (fails) throw new Error('as it does');
      return 'well';
    });
    await expect(run('all', never)).rejects.toThrow('as it does');
    fails = false;
    expect(await run('all', never)).toBe('well');
  });
});
