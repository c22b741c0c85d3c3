import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { aPackage } from './a-package.ts';

describeOnEachEngine('quarantine', (open) => {
  let server: TestServer;
  let bot: string;

  beforeAll(async () => {
    const store = open.engine === 'sqlite' ? {} : { databaseUrl: open.urlOf(await open([])) };
    server = await startTestServer(store);
    bot = (await server.client.call('keys.create', { actor_id: 'bot', actor_type: 'agent', projects: ['*'] }))
      .token as string;
    await server.client.call('projects.create', { project_id: 'p' });
    for (const [id, parents] of [
      ['root', []],
      ['child', ['root']],
      ['grandchild', ['child']],
      ['apart', []],
    ] as const) {
      const body = aPackage(id, { project_id: 'p', title: `Wugzebra ${id}`, 'x-parents': [...parents] });
      await server.client.call('packages.deposit', { project_id: 'p', package: body as never });
    }
  });
  afterAll(() => server.close());

  const found = async () => {
    const orient = JSON.stringify(await server.client.call('context.orient', { project_id: 'p' }));
    const search = JSON.stringify(
      await server.client.call('context.search', { query: 'Wugzebra', project: 'p' } as never),
    );
    const list = JSON.stringify(await server.client.call('packages.list', { project_id: 'p', limit: 50 }));
    return ['root', 'child', 'grandchild', 'apart'].filter((id) =>
      [orient, search, list].some((text) => text.includes(`Wugzebra ${id}`)),
    );
  };

  it('keeps what relied on a package from agents until a person puts it back', async () => {
    const relied = await server.client.call('why.forward', { id: 'root', kind: 'package', project: 'p' });
    const behind = relied.things.filter(({ kind }) => kind === 'package').map(({ id }) => id);
    expect(behind.sort()).toEqual(['child', 'grandchild']);
    expect(await found()).toEqual(['root', 'child', 'grandchild', 'apart']);
    const package_ids = ['root', ...behind, 'none'];
    const put = await server.client.call('packages.quarantine', { project_id: 'p', package_ids });
    expect(put.changed.sort()).toEqual(['child', 'grandchild', 'root']);
    expect(put.left).toEqual([{ package_id: 'none', reason: 'package_not_found' }]);
    expect(await found()).toEqual(['apart']);
    expect(await server.client.call('packages.get', { package_id: 'root', project: 'p' })).toMatchObject({
      title: 'Wugzebra root',
    });
    const listed = await server.client.call('packages.quarantined', { project_id: 'p' });
    expect(listed.packages.map(({ package_id: id }) => id).sort()).toEqual(['child', 'grandchild', 'root']);
    const again = await server.client.call('packages.quarantine', { project_id: 'p', package_ids: ['root'] });
    expect(again).toEqual({ changed: [], left: [{ package_id: 'root', reason: 'already_quarantined' }] });
    const back = await server.client.call('packages.quarantine', {
      project_id: 'p',
      package_ids,
      release: true,
    });
    expect(back.changed).toHaveLength(3);
    expect(await found()).toEqual(['root', 'child', 'grandchild', 'apart']);
    const why = await server.client.call('why.explain', { id: 'root', kind: 'package', project: 'p' });
    expect(why.nodes[0]?.steps.map(({ words }) => words)).toEqual(
      expect.arrayContaining(['put into quarantine', 'taken out of quarantine']),
    );
  });

  it('is for people alone', async () => {
    const response = await fetch(`${server.url}/v1/projects/p/quarantine`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bot}`, 'content-type': 'application/json' },
      body: JSON.stringify({ package_ids: ['apart'] }),
    });
    expect(response.status).toBe(403);
    expect(await found()).toContain('apart');
  });
});
