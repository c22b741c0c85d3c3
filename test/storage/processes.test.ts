import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/spine/storage/database.ts';
import { describeOnEachEngineEvenBare, type OpenForTest } from '../../src/spine/storage/testing.ts';
import { bundleForNode } from '../setup/bundle.ts';
import { addPair, PAIRS, storedPairs } from './pairs.ts';
import { runWriter } from './run-writer.ts';

const PROVE = process.env.BATON_PROVE === '1';
const KILLS = PROVE ? 20 : 3;
const WRITES = PROVE ? 10_000 : 600;
const APPENDS = PROVE ? 5_000 : 250;

let script: string;
beforeAll(async () => {
  script = await bundleForNode(fileURLToPath(new URL('./writer.child.ts', import.meta.url)));
});

async function expectWhole(db: Database, acknowledged: readonly string[]): Promise<void> {
  const { ids, halves } = await storedPairs(db);
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  expect(halves).toBe(0);
}

describeOnEachEngineEvenBare('several processes on one store', (open: OpenForTest) => {
  it('make the schema once and lose nothing of each other', async () => {
    const db = await open([]);
    const names = ['p1', 'p2', 'p3', 'p4'];
    const runs = await Promise.all(
      names.map((name) => runWriter(script, [open.urlOf(db), name, String(APPENDS)])),
    );
    for (const run of runs) expect(run).toMatchObject({ code: 0, errors: '' });
    const acknowledged = runs.flatMap((run) => run.acknowledged);
    expect(acknowledged).toHaveLength(4 * APPENDS);
    await expectWhole(db, acknowledged);
    expect((await storedPairs(db)).ids.size).toBe(4 * APPENDS);
  });
});

describeOnEachEngineEvenBare('a process that is killed while it writes', (open: OpenForTest) => {
  it('leaves every write it acknowledged, and no half of any other', async () => {
    const db = await open(PAIRS);
    const acknowledged: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const killAfter = randomInt(1, WRITES);
      const run = await runWriter(script, [open.urlOf(db), `kill${kill}`, String(WRITES)], killAfter);
      expect(run.errors, `killed after ${killAfter}`).toBe('');
      expect(run.acknowledged.length, `killed after ${killAfter}`).toBeGreaterThanOrEqual(killAfter);
      acknowledged.push(...run.acknowledged);
      await expectWhole(db, acknowledged);
    }
    await db.write((uow) => addPair(uow, 'afterwards'));
    await expectWhole(db, [...acknowledged, 'afterwards']);
  });

  for (const point of ['unit.start', 'unit.released', 'before.commit', 'after.commit'] as const) {
    it(`by the driver itself at "${point}" does the same`, async () => {
      const db = await open(PAIRS);
      const when = randomInt(3, 9);
      const run = await runWriter(script, [open.urlOf(db), point, '400', point, String(when)]);
      expect(run, `at the ${when}th time`).toMatchObject({ signal: 'SIGKILL', errors: '' });
      await expectWhole(db, run.acknowledged);
      await db.write((uow) => addPair(uow, 'afterwards'));
    });
  }
});
