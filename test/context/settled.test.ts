import { describe, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { startTestServer } from '../setup/server.ts';
import { aPackage, worldOf, worldOn } from './world.ts';

describeOnEachEngine('what the protocol leaves open', (open) => {
  const world = worldOn(open);

  it('mints ids of the recommended form where none is given', async () => {
    const { send } = world();
    const written = await send('POST', '/v1/packages', { title: 'No id', project: 'ids' });
    expect(written.json.package_id).toMatch(/^pkg_[0-9a-f]{32}$/);
    const stated = await send('POST', '/v1/projects/ids/facts', {
      subject: 's',
      predicate: 'is',
      value: 'v',
    });
    expect(stated.json.fact_id).toMatch(/^fact_[0-9a-f]{32}$/);
  });

  it('leaves out what is less significant than asked, in lists, orientation and digest', async () => {
    const { send } = world();
    const now = new Date().toISOString();
    const put = (id: string, more: object) =>
      send(
        'POST',
        '/v1/projects/weights/packages',
        aPackage(id, { project_id: 'weights', created_at: now, ...more }),
      );
    await put('low', { significance: 2, open_questions: ['A small thing?'], title: 'Lantern low' });
    await put('usual', { open_questions: ['A usual thing?'], title: 'Lantern usual' });
    await put('high', { significance: 9, open_questions: ['A great thing?'], title: 'Lantern high' });
    const ids = (packages: { package_id: string }[]) => packages.map((one) => one.package_id).sort();
    const at = (least: number) => `min_significance=${least}`;
    expect(ids((await send('GET', `/v1/projects/weights/packages?${at(5)}`)).json)).toEqual([
      'high',
      'usual',
    ]);
    expect(ids((await send('GET', `/v1/projects/weights/packages?${at(6)}`)).json)).toEqual(['high']);
    const found = await send('GET', `/v1/projects/weights/packages?mode=relevant&query=lantern&${at(5)}`);
    expect(ids(found.json)).toEqual(['high', 'usual']);
    const oriented = (await send('GET', `/v1/projects/weights/orient?${at(5)}`)).json;
    expect(ids(oriented.recent_packages)).toEqual(['high', 'usual']);
    expect(oriented.open_questions.sort()).toEqual(['A great thing?', 'A usual thing?']);
    const digest = (await send('GET', `/v1/orchestrate?project=weights&${at(6)}`)).text;
    expect(digest).toContain('A great thing?');
    expect(digest).not.toContain('A usual thing?');
  });
});

describe('an unknown project', () => {
  it('makes a project at the first deposit on loopback, and elsewhere asks for it first', async () => {
    const local = await startTestServer();
    const hosted = await startTestServer({ host: '0.0.0.0', behindProxy: true });
    try {
      const deposit = (world: ReturnType<typeof worldOf>) =>
        world.send('POST', '/v1/projects/p/packages', aPackage('first'));
      expect((await deposit(worldOf(local))).status).toBe(201);
      const refused = await deposit(worldOf(hosted));
      expect([refused.status, refused.json.error.code]).toEqual([404, 'project_not_found']);
      await worldOf(hosted).send('POST', '/v1/projects', { project_id: 'p' });
      expect((await deposit(worldOf(hosted))).status).toBe(201);
    } finally {
      await Promise.all([local.close(), hosted.close()]);
    }
  });
});
