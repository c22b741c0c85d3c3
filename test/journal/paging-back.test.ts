import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  for (const actor_id of ['one', 'two', 'three']) {
    await server.client.call('keys.create', { actor_id, actor_type: 'agent' });
  }
});
afterAll(() => server.close());

describe('paging back in the journal', () => {
  const leaves = async (query: object) => {
    const { events, previous } = await server.client.call('journal.changes', { limit: 2, ...query });
    return { leaves: events.map(({ leaf }) => leaf), previous };
  };

  it('goes from the newest page to the one before it', async () => {
    const all = (await leaves({ after: -1, limit: 1000 })).leaves;
    const newest = await leaves({ newest: true });
    expect(newest).toEqual({ leaves: all.slice(-2), previous: all.at(-2) });
    expect((await leaves({ before: all.at(-2) })).leaves).toEqual(all.slice(-4, -2));
    expect(await leaves({ before: all[1] })).toEqual({ leaves: all.slice(0, 1), previous: null });
    expect(await leaves({ after: 0 })).not.toHaveProperty('previous', expect.anything());
  });

  it('refuses to go both ways at once', async () => {
    await expect(leaves({ before: 3, after: 1 })).rejects.toMatchObject({
      status: 400,
      code: 'cursors_conflict',
    });
  });

  it('tells whoever lists the newest events how to see the ones before', async () => {
    const env = { BATON_DATA: server.dataDir };
    const { stdout } = await runBaton(['journal', 'list', '--newest', '--limit', '2'], { env });
    const before = /Older ones: --before (\d+)/.exec(stdout)?.[1] ?? '';
    const older = await runBaton(['journal', 'list', '--before', before, '--limit', '1', '--json'], { env });
    const { leaves: three } = await leaves({ newest: true, limit: 3 });
    expect(JSON.parse(older.stdout).events).toMatchObject([{ leaf: three[0] }]);
  });
});
