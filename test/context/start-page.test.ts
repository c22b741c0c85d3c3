import fc from 'fast-check';
import { expect, it } from 'vitest';
import { migrations } from '../../src/app/migrations.ts';
import { selectCounts } from '../../src/slices/context/orient/store.ts';
import { insertPackage, selectPackage, updateStanding } from '../../src/slices/context/packages/store.ts';
import type { Status } from '../../src/slices/context/packages/stored-package.ts';
import type { Database, Reader } from '../../src/spine/storage/database.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';

const HOUR = 3_600 * 1e6;
const NOW = 1_700_000_000 * 1e6;

/** What a start page shows must not take longer the more was ever stored, and must be true all the same. */
describeOnEachEngine('the counts of a start page', (open) => {
  async function store(): Promise<Database> {
    const db = await open(migrations);
    await db.write((uow) =>
      uow.run(
        `insert into projects (project_id, name, created_at, created_us, settings, extra)
         values ('p', 'p', '2026-01-01T00:00:00.000Z', 0, '{}', '{}')`,
      ),
    );
    return db;
  }
  let made = 0;
  const row = (createdMicros: number, status: Status) => ({
    projectId: 'p',
    packageId: `id-${made++}`,
    original: '{}',
    depositHash: 'h',
    bodyHash: 'h',
    status,
    reviewType: 'none' as const,
    packageType: 'standard',
    title: 't',
    createdAt: '2026-01-01T00:00:00Z',
    createdMicros,
    author: { id: 'ada', type: 'agent' as const },
    sessionId: null,
    significance: 1,
    handoff: false,
    depositedMicros: createdMicros,
    depositor: null,
  });

  it('are those of the packages, however these came and moved', async () => {
    const db = await store();
    const step = fc.record({
      ago: fc.integer({ min: -2 * HOUR, max: 30 * HOUR }),
      status: fc.constantFrom<Status>('draft', 'complete', 'awaiting_review'),
      later: fc.option(fc.constantFrom<Status>('draft', 'complete', 'awaiting_review')),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.integer({ min: 0, max: 30 * HOUR }),
        async (steps, window) => {
          await Promise.all(
            steps.map(({ ago, status, later }) =>
              db.write(async (uow) => {
                const fresh = row(NOW - ago, status);
                await insertPackage(uow, fresh);
                const stored = await selectPackage(uow, 'p', fresh.packageId);
                if (stored && later) {
                  await updateStanding(uow, stored, {
                    status: later,
                    reviewType: 'none',
                    current: '{}',
                    contentHash: 'h',
                  });
                }
              }),
            ),
          );
          const { counted, real } = await db.read(async (reader) => ({
            counted: await selectCounts(reader, 'p', { sinceMicros: NOW - window, now: NOW }),
            real: await reader.get<{ packages: number; awaiting_review: number }>(
              `select coalesce(sum(case when created_us >= ? and status <> 'draft' then 1 else 0 end), 0) as packages,
               coalesce(sum(case when status = 'awaiting_review' then 1 else 0 end), 0) as awaiting_review from packages`,
              [NOW - window],
            ),
          }));
          expect(counted).toMatchObject({
            packages: Number(real?.packages),
            awaiting_review: Number(real?.awaiting_review),
          });
        },
      ),
      { numRuns: 25 },
    );
  });

  it('read indexes, not packages, at a hundred times the data', async () => {
    const db = await store();
    for (let batch = 0; batch < 20; batch += 1) {
      await db.write(async (uow) => {
        for (let at = 0; at < 1_000; at += 1)
          await insertPackage(uow, row(NOW - ((batch * 1_000 + at) * HOUR) / 10, 'complete'));
      });
    }
    await db.write((uow) => uow.run('analyze'));
    const plans = await db.read((reader) =>
      plansOf(reader, (spied) => selectCounts(spied, 'p', { sinceMicros: NOW - 14 * 24 * HOUR, now: NOW })),
    );
    expect(plans.length).toBe(3);
    for (const plan of plans) {
      expect(plan).not.toMatch(
        open.engine === 'sqlite'
          ? /SCAN (packages|facts)\b(?! USING (COVERING )?INDEX)/
          : /Seq Scan on packages/,
      );
    }
    expect(plans.join('\n')).toMatch(/packages_waiting/);
  });

  /** How the engine would run each statement of a read. */
  async function plansOf(reader: Reader, work: (reader: Reader) => Promise<unknown>): Promise<string[]> {
    const plans: string[] = [];
    const prefix = reader.engine === 'sqlite' ? 'explain query plan' : 'explain';
    const spied: Reader = {
      engine: reader.engine,
      all: (sql, params) => reader.all(sql, params),
      cells: (sql, params) => reader.cells(sql, params),
      giveTurn: () => reader.giveTurn(),
      async get(sql, params) {
        const lines = await reader.all<Record<string, unknown>>(`${prefix} ${sql}`, params);
        plans.push(lines.map((line) => String(line.detail ?? line['QUERY PLAN'])).join('\n'));
        return reader.get(sql, params);
      },
    };
    await work(spied);
    return plans;
  }
});
