import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BoundedWork, Task } from '../../src/platform/bounded-work/bounded-work.ts';
import {
  backtracking,
  deep,
  doubled,
  endless,
  failing,
  hungry,
} from '../../src/platform/bounded-work/testing-thread.ts';
import { createThreadPool, type ThreadPoolOptions } from '../../src/platform/bounded-work/thread-pool.ts';
import { WorkNeeded, withWorkDone } from '../../src/platform/bounded-work/work-needed.ts';
import { bundleForNode } from '../setup/bundle.ts';

describe('work in threads with a budget', () => {
  let file: string;
  let pool: BoundedWork;
  beforeAll(async () => {
    file = await bundleForNode('src/platform/bounded-work/testing-thread.ts');
  });
  afterEach(() => pool.close());

  const start = (more: Partial<ThreadPoolOptions> = {}) => {
    pool = createThreadPool({ file, budget: { seconds: 60, megabytes: 64 }, ...more });
    return pool;
  };

  it('answers what the task answers, many at once', async () => {
    start();
    const numbers = Array.from({ length: 50 }, (_, n) => n);
    expect(await Promise.all(numbers.map((n) => pool.run(doubled, n)))).toEqual(numbers.map((n) => n * 2));
  });

  it('passes on what the task throws, and goes on', async () => {
    start({ threads: 1 });
    await expect(pool.run(failing, null)).rejects.toThrow('as it does');
    expect(await pool.run(doubled, 4)).toBe(8);
  });

  it.each([
    ['never ends', (work: BoundedWork) => work.run(endless, null)],
    ['tries each split of a text', (work: BoundedWork) => work.run(backtracking, `${'a'.repeat(60)}!`)],
  ])('ends a task that %s, and does the next', async (_, work) => {
    start({ threads: 1, budget: { seconds: 1, megabytes: 64 } });
    const [late, next] = await Promise.allSettled([work(pool), pool.run(doubled, 1)]);
    expect(late).toMatchObject({ status: 'rejected', reason: { code: 'work_too_large', status: 422 } });
    expect(next).toEqual({ status: 'fulfilled', value: 2 });
  });

  it('goes on with what is said to do where the budget does not suffice, and only there', async () => {
    start({ threads: 1, budget: { seconds: 1, megabytes: 64 } });
    const asked = <Out>(task: Task<null, Out>, otherwise?: Out) => {
      let known: Out | undefined;
      return withWorkDone(pool, async () => {
        if (known !== undefined) return known;
        throw new WorkNeeded(
          task,
          null,
          (result) => {
            known = result;
          },
          otherwise,
        );
      });
    };
    expect(await asked<string>(endless, 'unknown')).toBe('unknown');
    await expect(asked<string>(endless)).rejects.toMatchObject({ code: 'work_too_large' });
    await expect(asked<string>(failing, 'unknown')).rejects.toThrow('as it does');
  });

  it('ends a task that wants more memory than it may have, again and again, while this process stays well', async () => {
    start({ threads: 1 });
    for (let round = 0; round < 3; round += 1) {
      await expect(pool.run(hungry, 50_000_000)).rejects.toMatchObject({
        code: 'work_too_large',
        details: { max_megabytes: 64 },
      });
      expect(await pool.run(hungry, 1_000)).toBe(1_000);
    }
  });

  it('calls an input that leads too deep too large', async () => {
    start();
    await expect(pool.run(deep, 10_000_000)).rejects.toMatchObject({ code: 'work_too_large' });
  });

  it('refuses what would wait too long, instead of keeping it all in memory', async () => {
    start({ threads: 1, mostWaiting: 2, budget: { seconds: 1, megabytes: 64 } });
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => pool.run(endless, null)));
    const codes = all.map((each) => each.status === 'rejected' && (each.reason as { code: string }).code);
    expect(codes.filter((code) => code === 'work_queue_full')).toHaveLength(2);
    expect(codes.filter((code) => code === 'work_too_large')).toHaveLength(3);
  });

  it('leaves nobody waiting when it is closed', async () => {
    start({ threads: 1 });
    const waiting = Promise.allSettled([pool.run(endless, null), pool.run(endless, null)]);
    await pool.close();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(pool.run(doubled, 1)).rejects.toMatchObject({ code: 'work_queue_full' });
  });
});
