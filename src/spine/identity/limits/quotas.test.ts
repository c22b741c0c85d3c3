import { expect, it } from 'vitest';
import { fakeClock } from '../../../platform/testing.ts';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { identityMigrations } from '../migrations.ts';
import type { Principal } from '../principal.ts';
import { createLimiter } from './limiter.ts';
import { createQuotas } from './quotas.ts';

const holder = (id: string): Principal =>
  ({
    actor: { id: 'bot', type: 'agent' },
    scopes: new Set(['packages:write']),
    projects: ['p'],
    defaultProject: 'p',
    credential: { kind: 'key', id },
    present: false,
  }) as unknown as Principal;

describeOnEachEngine('quotas', (open) => {
  it('let a key that writes at any rate no further than its day allows, and others go on', async () => {
    const clock = fakeClock('2026-01-01T22:00:00Z');
    const db = await open(identityMigrations);
    const charge = createQuotas(createLimiter(db, clock), { writesPerDay: 3, bytesPerDay: 0 });
    for (let n = 0; n < 3; n += 1) await charge(holder('a'), 1_000_000);
    await expect(charge(holder('a'), 1)).rejects.toMatchObject({
      code: 'quota_exceeded',
      status: 429,
      details: { quota: 'writes', per_day: 3 },
      retryAfterSeconds: 7_200,
    });
    await charge(holder('b'), 1);
    clock.advance({ seconds: 7_200 });
    await charge(holder('a'), 1);
  });

  it('count bytes, and refuse at once what is more than a day may have', async () => {
    const db = await open(identityMigrations);
    const charge = createQuotas(createLimiter(db, fakeClock()), { writesPerDay: 0, bytesPerDay: 10_000 });
    await expect(charge(holder('a'), 10_001)).rejects.toMatchObject({ code: 'quota_exceeded' });
    await charge(holder('a'), 9_000);
    await expect(charge(holder('a'), 1_001)).rejects.toMatchObject({ details: { quota: 'bytes' } });
    await charge(holder('a'), 1_000);
  });

  it('lose little to processes that start and end all day', async () => {
    const db = await open(identityMigrations);
    const clock = fakeClock();
    for (let process = 0; process < 200; process += 1) {
      await createQuotas(createLimiter(db, clock), { writesPerDay: 1_000_000, bytesPerDay: 0 })(
        holder('a'),
        1,
      );
    }
    const row = await db.read((reader) => reader.get<{ used: number }>('select used from rate_windows'));
    expect(row?.used).toBeLessThanOrEqual(200_000);
  });
});
