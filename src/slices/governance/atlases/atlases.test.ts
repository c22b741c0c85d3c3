import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import { publishedSchemas } from '../published-schemas/schemas.ts';
import { manifestOf } from '../testing/manifest.ts';
import { ACTIONS, ALLOW, itemWorlds, openWorld, type Who, worldMigrations } from '../testing/world.ts';

describeOnEachEngine('loaded Atlases', (open) => {
  const world = itemWorlds(open);

  it('only logs what an Atlas in log mode would have stopped', async () => {
    const w = await openWorld(await open(worldMigrations));
    await w.load(manifestOf({ actions: ACTIONS, policies: [{ policy_id: 'no', type: 'deny' }] }), 'log_only');
    const session = await w.start();
    const { body } = await w.resolve(session);
    expect(body.decision.type).toBe('allow');
    expect(
      (await w.execute(session, { resolution_id: body.resolution_id, action_id: 'item.drop' })).body.status,
    ).toBe('success');
    expect(
      (await w.trace(session)).filter(
        ({ payload }) => payload.effect === 'log_only' && payload.result === 'deny',
      ).length,
    ).toBe(3);
  });

  it('loads, lists, replaces and unloads Atlases, and refuses what cannot be', async () => {
    const w = await world();
    const send = async (manifest: object) => {
      const { status, body } = await w.load(manifest);
      return `${status} ${body.error?.code ?? body.version} ${body.error?.pointer ?? ''}`.trim();
    };
    expect(await send(manifestOf({ actions: ACTIONS }))).toBe('409 ATLAS_ALREADY_LOADED /version');
    expect(await send(manifestOf({ atlas_id: 'com.example.two', actions: ACTIONS }))).toBe(
      '409 ACTION_CONFLICT /actions/0/action_id',
    );
    expect(await send({ ...manifestOf(), version: '1.0' })).toBe('400 INVALID_ATLAS_MANIFEST /version');
    expect(await send({ ...manifestOf(), nope: 1 })).toBe('400 INVALID_ATLAS_MANIFEST /nope');
    expect(
      await send(manifestOf({ atlas_id: 'com.example.two', dependencies: { 'com.example.test': '^2.0.0' } })),
    ).toBe('409 ATLAS_DEPENDENCY_MISSING /dependencies/com.example.test');
    expect(
      await send(manifestOf({ atlas_id: 'com.example.two', dependencies: { 'com.example.test': '^1.0.0' } })),
    ).toBe('201 1.0.0');
    expect(await send(manifestOf({ version: '1.1.0', actions: ACTIONS, policies: [ALLOW] }))).toBe(
      '201 1.1.0',
    );
    expect(
      (await w.send('GET', '/v1/atlases')).body.map(
        (each: { atlas_id: string; version: string }) => `${each.atlas_id} ${each.version}`,
      ),
    ).toEqual(['com.example.two 1.0.0', 'com.example.test 1.1.0']);
    expect((await w.send('GET', '/v1/atlases?envelope=1')).body).toMatchObject({ total: 2 });
    const own = { headers: { accept: 'application/vnd.cra.atlas+json' } };
    const manifest = await w.send('GET', '/v1/atlases/com.example.test', undefined, own);
    expect(manifest.headers.get('content-type')).toBe('application/vnd.cra.atlas+json');
    expect(manifest.body).toEqual(manifestOf({ version: '1.1.0', actions: ACTIONS, policies: [ALLOW] }));
    expect((await w.send('GET', '/v1/atlases', undefined, { as: 'stranger' })).body).toEqual([]);
    const used = await w.send('DELETE', '/v1/atlases/com.example.test');
    expect([used.status, used.body.error]).toMatchObject([
      409,
      { code: 'ATLAS_IN_USE', message: 'com.example.two needs com.example.test ^1.0.0.' },
    ]);
    expect(await send(manifestOf({ version: '2.0.0', actions: ACTIONS }))).toBe('409 ATLAS_IN_USE');
    expect((await w.send('DELETE', '/v1/atlases/com.example.two')).status).toBe(204);
    expect((await w.send('DELETE', '/v1/atlases/com.example.test')).status).toBe(204);
    expect((await w.send('DELETE', '/v1/atlases/com.example.test')).status).toBe(404);
    expect((await w.send('GET', '/v1/schemas/trace-event')).body).toEqual(publishedSchemas()['trace-event']);
  });

  it('are those of the project that is named, if the credential sees it', async () => {
    const w = await world();
    const manifest = manifestOf({ version: '3.0.0', actions: ACTIONS, policies: [ALLOW] });
    const there = async (method: string, path: string, body?: object, as: Who = 'scout') =>
      w.send(method, `${path}?project=other`, body, { as });
    expect((await there('GET', '/v1/atlases')).body).toEqual([]);
    expect((await there('POST', '/v1/explain', { agent_id: 'bot' })).body.explanations).toEqual([]);
    expect((await there('POST', '/v1/atlases', manifest)).status).toBe(201);
    expect((await there('GET', '/v1/atlases')).body).toMatchObject([{ version: '3.0.0' }]);
    expect((await there('GET', '/v1/atlases/com.example.test')).body.version).toBe('3.0.0');
    expect((await there('GET', '/v1/atlases/com.example.test/analysis')).status).toBe(200);
    expect((await there('POST', '/v1/explain', { agent_id: 'bot' })).body.explanations).toHaveLength(2);
    expect((await w.send('GET', '/v1/atlases')).body).toMatchObject([{ version: '1.0.0' }]);
    for (const [method, path, body] of [
      ['GET', '/v1/atlases'],
      ['GET', '/v1/approvals'],
      ['GET', '/v1/atlases/com.example.test'],
      ['GET', '/v1/atlases/com.example.test/analysis'],
      ['DELETE', '/v1/atlases/com.example.test'],
      ['POST', '/v1/atlases', manifest],
      ['POST', '/v1/explain', { agent_id: 'bot' }],
    ] as const) {
      expect([path, (await there(method, path, body, 'bot')).body.error?.code]).toEqual([
        path,
        'PROJECT_NOT_FOUND',
      ]);
    }
    expect((await there('DELETE', '/v1/atlases/com.example.test')).status).toBe(204);
    expect((await there('GET', '/v1/atlases')).body).toEqual([]);
  });

  it('explains decisions and finds what is wrong with an Atlas', async () => {
    const w = await world([ALLOW, { policy_id: 'never', type: 'allow', actions: ['gone.*'] }]);
    const explained = await w.send('POST', '/v1/explain', { agent_id: 'bot', action_id: 'item.get' });
    expect(explained.body.explanations).toMatchObject([{ winner: 'all', effect: 'allow' }]);
    expect(
      (await w.send('GET', '/v1/atlases/com.example.test/analysis')).body.findings
        .map((f: { kind: string }) => f.kind)
        .sort(),
    ).toEqual(['dead', 'over_broad']);
    expect((await w.send('POST', '/v1/atlases/check', { ...manifestOf(), version: 'x' })).body).toMatchObject(
      { loadable: false, findings: [{ code: 'schema', pointer: '/version' }] },
    );
  });
});
