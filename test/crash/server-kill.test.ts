import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { startKillableServer } from '../setup/killable-server.ts';

const PROVE = process.env.BATON_PROVE === '1';
const KILLS = PROVE ? 20 : 2;
const WRITES = PROVE ? 850 : 60;
const WRITERS = 16;

const children: ChildProcess[] = [];
let dataDir = '';
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

async function startServer(databaseUrl: string) {
  const server = await startKillableServer(dataDir, { env: { BATON_DATABASE_URL: databaseUrl } });
  children.push(server.child);
  return server;
}

describeOnEachEngine('a server killed at the worst moment', (open) => {
  it('loses nothing that it acknowledged, and its journal holds together', async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'baton-kill-'));
    const store = await open([]);
    const databaseUrl = open.urlOf(store);
    const acknowledged: string[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      const server = await startServer(databaseUrl);
      const wanted = acknowledged.length + Math.ceil(WRITES * (0.3 + ((round * 7) % 10) / 14));
      let running = true;
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = 0; running; n += 1) {
          const title = `round ${round} writer ${writer} package ${n}`;
          try {
            const { package_id } = await server.client.call('packages.write', { title });
            acknowledged.push(package_id);
          } catch {
            // Not acknowledged: it may be there or not.
            return;
          }
        }
      });
      await expect.poll(() => acknowledged.length >= wanted, { interval: 1 }).toBe(true);
      await server.kill();
      running = false;
      await Promise.all(writers);
    }
    const server = await startServer(databaseUrl);
    const kept = new Set<string>();
    const rows = await store.read((reader) =>
      reader.all<{ package_id: string }>('select package_id from packages'),
    );
    for (const { package_id } of rows) kept.add(package_id);
    console.info(`${acknowledged.length} acknowledged over ${KILLS} kills, ${kept.size} kept`);
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    const report = await server.client.call('journal.verify', {});
    expect(report).toMatchObject({ valid: true, fault_count: 0 });
    await server.kill();
  });
});
