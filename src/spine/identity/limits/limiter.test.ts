import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fakeClock } from '../../../platform/testing.ts';
import type { Database } from '../../storage/database.ts';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { identityMigrations } from '../migrations.ts';
import { createLimiter, type Limiter } from './limiter.ts';

const ROUNDS = process.env.BATON_PROVE === '1' ? 200 : 15;

describeOnEachEngine('rate limits', (open) => {
  it('grant exactly the limit to a single process, then tell when to come back', async () => {
    const clock = fakeClock('2026-01-01T00:00:15Z');
    const limiter = createLimiter(await open(identityMigrations), clock);
    const answers = [];
    for (let i = 0; i < 120; i++) answers.push(await limiter.take('k', { limit: 100, windowSeconds: 60 }));
    expect(answers.filter((answer) => answer.granted)).toHaveLength(100);
    expect(answers.at(-1)).toEqual({ granted: false, retryAfterSeconds: 45 });
    expect(await limiter.take('other', { limit: 1, windowSeconds: 60 })).toMatchObject({ granted: true });
    clock.advance({ seconds: 45 });
    expect(await limiter.take('k', { limit: 100, windowSeconds: 60 })).toMatchObject({ granted: true });
  });

  it('say how much of the window is left, and for how long', async () => {
    const db = await open(identityMigrations);
    const clock = fakeClock('2026-01-01T00:00:15Z');
    const limiter = createLimiter(db, clock);
    const left = [];
    for (let i = 0; i < 5; i++) left.push(await limiter.take('k', { limit: 5, windowSeconds: 60 }));
    expect(left).toEqual(
      [4, 3, 2, 1, 0].map((remaining) => ({ granted: true, remaining, resetSeconds: 45 })),
    );
    const other = createLimiter(db, clock);
    expect(await other.take('fresh', { limit: 100, windowSeconds: 60 })).toMatchObject({ remaining: 99 });
    expect(await limiter.take('fresh', { limit: 100, windowSeconds: 60 })).toMatchObject({ remaining: 87 });
  });

  it('write far less often than they are asked, and nothing once the window is spent', async () => {
    const db = await open(identityMigrations);
    let writes = 0;
    const counting: Pick<Database, 'write'> = {
      write: (work) => {
        writes++;
        return db.write(work);
      },
    };
    const limiter = createLimiter(counting, fakeClock());
    for (let i = 0; i < 1000; i++) await limiter.take('k', { limit: 1000, windowSeconds: 60 });
    expect(writes).toBeLessThan(60);
    await limiter.take('k', { limit: 1000, windowSeconds: 60 });
    const spent = writes;
    for (let i = 0; i < 50; i++) await limiter.take('k', { limit: 1000, windowSeconds: 60 });
    expect(writes).toBe(spent);
  });

  it('never grant more than the limit in a window, over any number of processes and restarts', async () => {
    const db = await open(identityMigrations);
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          limit: fc.integer({ min: 1, max: 60 }),
          takes: fc.array(
            fc.record({
              by: fc.integer({ min: 0, max: 3 }),
              cost: fc.integer({ min: 1, max: 4 }),
              restart: fc.constantFrom(false, false, false, true),
              later: fc.constantFrom(0, 0, 0, 0, 20),
            }),
            { minLength: 1, maxLength: 60 },
          ),
        }),
        async ({ limit, takes }) => {
          const key = `round-${round++}`;
          const clock = fakeClock();
          const limiters: Limiter[] = Array.from({ length: 4 }, () => createLimiter(db, clock));
          const granted = new Map<number, number>();
          for (let i = 0; i < takes.length; i += 4) {
            await Promise.all(
              takes.slice(i, i + 4).map(async ({ by, cost, restart }) => {
                if (restart) limiters[by] = createLimiter(db, clock);
                const window = Math.floor(clock.now() / 60_000_000);
                const answer = await limiters[by]!.take(key, { limit, windowSeconds: 60, cost });
                if (answer.granted) granted.set(window, (granted.get(window) ?? 0) + cost);
                else expect(answer.retryAfterSeconds).toBeGreaterThan(0);
              }),
            );
            clock.advance({ seconds: takes[i]!.later });
          }
          for (const total of granted.values()) expect(total).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: ROUNDS },
    );
  });

  it('waste nothing of what processes that keep asking can use', async () => {
    const db = await open(identityMigrations);
    const clock = fakeClock();
    const limiters = Array.from({ length: 3 }, () => createLimiter(db, clock));
    let granted = 0;
    for (let i = 0; i < 90; i++) {
      for (const limiter of limiters) {
        if ((await limiter.take('k', { limit: 100, windowSeconds: 60 })).granted) granted++;
      }
    }
    expect(granted).toBe(100);
  });

  it('hold between two handles that race on one store', async () => {
    const first = await open(identityMigrations);
    const second = await open(identityMigrations, { beside: first });
    const clock = fakeClock();
    const limiters = [createLimiter(first, clock), createLimiter(second, clock)];
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, i) => limiters[i % 2]!.take('k', { limit: 25, windowSeconds: 60 })),
    );
    expect(answers.filter((answer) => answer.granted)).toHaveLength(25);
  });

  it('refuse what costs more than is left, and more than there ever is', async () => {
    const limiter = createLimiter(await open(identityMigrations), fakeClock());
    const take = (cost: number) => limiter.take('k', { limit: 10, windowSeconds: 60, cost });
    expect((await take(11)).granted).toBe(false);
    expect((await take(8)).granted).toBe(true);
    expect((await take(3)).granted).toBe(false);
    expect((await take(2)).granted).toBe(true);
    expect((await take(1)).granted).toBe(false);
  });

  it('forget windows that are long over', async () => {
    const db = await open(identityMigrations);
    const clock = fakeClock();
    const limiter = createLimiter(db, clock);
    await limiter.take('old', { limit: 5, windowSeconds: 60 });
    clock.advance({ seconds: 3600 });
    await limiter.take('new', { limit: 5, windowSeconds: 60 });
    const rows = await db.read((reader) =>
      reader.all<{ limit_key: string }>('select limit_key from rate_windows'),
    );
    expect(rows.map((row) => row.limit_key)).toEqual(['new']);
  });
});
