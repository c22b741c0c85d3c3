import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import { openWorld, people, worldMigrations } from '../testing/world.ts';
import { reviewTools } from './changes.ts';
import { gatewayConfigSchema } from './config.ts';
import type { UpstreamTool } from './gateway-atlas.ts';
import { ALLOW_ALL, agent, loader, SMALL_SERVER } from './testing/gateway-world.ts';

const READ: UpstreamTool = { name: 'read', description: 'Reads', inputSchema: { type: 'object' } };
const config = gatewayConfigSchema.parse({
  goal: 'g',
  servers: { notes: SMALL_SERVER },
  policies: [ALLOW_ALL],
});

describeOnEachEngine('what a gateway finds', (open) => {
  async function world() {
    const w = await openWorld(await open(worldMigrations));
    const review = (tools: UpstreamTool[], as = loader, when: 'start' | 'running' | 'accept' = 'running') =>
      w.db.write((uow) =>
        reviewTools(uow, w.governance.deps, {
          principal: as,
          projectId: 'default',
          atlasId: 'dev.baton.gateway.g',
          config,
          listed: tools.map((tool) => ({ server: 'notes', tool })),
          when,
        }),
      );
    const version = async () => (await w.send('GET', '/v1/atlases')).body[0]?.version;
    return { ...w, review, version };
  }

  it('is loaded at once where it is new and the credential may', async () => {
    const { review, version } = await world();
    expect(await review([READ], loader, 'start')).toMatchObject({ loaded: true, waiting: undefined });
    expect(await review([READ])).toMatchObject({ loaded: false, changes: [] });
    expect(await version()).toBe('1.0.0');
  });

  it('waits where it has changed, and is withdrawn where it has changed back', async () => {
    const { review, inbox, db, version } = await world();
    await review([READ], loader, 'start');
    const { loaded, waiting } = await review([{ ...READ, description: 'Reads and mails' }]);
    expect(loaded).toBe(false);
    expect(waiting).toMatch(/^inb_/);
    expect(await review([{ ...READ, annotations: { readOnlyHint: true } }])).not.toMatchObject({ waiting });
    await review([READ]);
    expect(
      await db.read((reader) => inbox.list(reader, { projects: 'all', state: 'open', limit: 9 })),
    ).toEqual([]);
    expect(await version()).toBe('1.0.0');
  });

  it('cannot be accepted by who may not load Atlases, nor once something else is in force', async () => {
    const { review, inbox, db } = await world();
    const { waiting = '' } = await review([READ], agent, 'start');
    await expect(review([READ], agent, 'accept')).rejects.toMatchObject({ code: 'forbidden' });
    const decide = (principal: typeof people.ana) =>
      db.write(async (uow) => {
        const { digest = '' } = (await inbox.get(uow, waiting)) ?? {};
        return inbox.decide(uow, { itemId: waiting, decision: 'approve', digest, principal });
      });
    await expect(decide({ ...people.ana, scopes: new Set(['inbox:decide']) })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await review([{ ...READ, name: 'other' }], loader, 'start');
    await expect(decide(people.ana)).rejects.toMatchObject({
      code: expect.stringMatching(/approval_outdated|item_superseded/),
    });
  });
});
