import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { startKillableServer } from '../setup/killable-server.ts';

let dataDir = '';
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describeOnEachEngine('a server that is told to stop', (open) => {
  // Right after a commit everything that follows commits is awake: whatever it waits for then must not be forgotten.
  it('closes everything in order, even right after a commit', async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'baton-stop-'));
    const databaseUrl = open.urlOf(await open([]));
    const { child, client } = await startKillableServer(dataDir, {
      env: { BATON_DATABASE_URL: databaseUrl },
    });
    await client.call('packages.write', { title: 'the last one' });
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });
});
