import { Client } from '@modelcontextprotocol/client';
import { afterEach, expect, it } from 'vitest';
import { nodeHasher } from '../../../platform/node-hasher.ts';
import { describeOnSqlite } from '../../../spine/storage/testing.ts';
import type { Policy } from '../atlases/schema.ts';
import { openWorld, people, worldMigrations } from '../testing/world.ts';
import { gatewayConfigSchema } from './config.ts';
import { toolChanges } from './gateway-atlas.ts';
import { ALLOW_ALL, agent, FULL_SERVER, gatewaysOn, loader, SMALL_SERVER } from './testing/gateway-world.ts';

const NO_DROP: Policy = {
  policy_id: 'no-drop',
  type: 'deny',
  actions: ['notes.drop.*'],
  parameters: { reason: 'Notes stay' },
};

describeOnSqlite('the gateway', (open) => {
  let gateways: ReturnType<typeof gatewaysOn> | undefined;
  // Later hooks run first: the gateway ends its sessions before the store is closed.
  afterEach(async () => gateways?.close());

  async function world() {
    const opened = await openWorld(await open(worldMigrations));
    gateways = gatewaysOn(opened);
    const decideItem = (itemId: string, decision: 'approve' | 'reject', as: keyof typeof people) =>
      opened.db.write(async (uow) => {
        const item = await opened.inbox.get(uow, itemId);
        return opened.inbox.decide(uow, {
          itemId,
          decision,
          digest: item?.digest ?? '',
          principal: people[as],
        });
      });
    return { ...opened, gateways, decideItem };
  }
  const items = async (w: Awaited<ReturnType<typeof world>>) =>
    w.db.read((reader) => w.inbox.list(reader, { projects: 'all', state: 'open', limit: 10 }));

  it('is not opened for an agent that its key does not speak for, and has then changed nothing', async () => {
    const w = await world();
    await expect(w.gateways.open({}, people.bot)).rejects.toMatchObject({
      code: 'session_not_owned',
      details: { named: 'editor' },
    });
    expect((await w.send('GET', '/v1/atlases')).body).toEqual([]);
  });

  it('shows only what is allowed, runs it through CARP, and traces it', async () => {
    const w = await world();
    const { connect } = await w.gateways.open({
      policies: [{ policy_id: 'read', type: 'allow', actions: ['notes.read.*'] }, NO_DROP],
    });
    const { names, call, session, client } = await connect();
    expect(await names()).toEqual(['notes_read_note']);
    expect(await call('notes_read_note', { id: 'a' })).toEqual({ isError: false, text: 'first note' });
    expect((await call('notes_drop_note')).text).toBe('ACTION_DENIED: Denied by no-drop: Notes stay.');
    expect(await call('notes_read_note', { id: 'a' })).toMatchObject({ text: 'first note' });
    expect(await call('notes_read_note', { id: 5 })).toMatchObject({
      isError: true,
      text: expect.stringContaining('INVALID_PARAMETERS'),
    });
    await expect(call('nothing')).rejects.toMatchObject({ message: expect.stringContaining('not found') });
    const sessionId = session.sessionId as string;
    await client.close();
    await session.close();
    const types = (await w.trace(sessionId)).map(({ event_type }) => event_type);
    expect(types.filter((type) => type === 'action.executed').length).toBe(2);
    expect(types.filter((type) => type === 'action.denied').length).toBe(2);
    expect((await w.send('POST', `/v1/traces/${sessionId}/verify`)).body.valid).toBe(true);
  });

  it('is loaded by nobody who may not load Atlases: what it found waits for somebody who may', async () => {
    const w = await world();
    const { connect } = await w.gateways.open({ policies: [ALLOW_ALL] }, agent);
    const { names, call, client } = await connect();
    expect(await names()).toEqual([]);
    expect((await call('notes_read_note', { id: 'a' })).text).toMatch(/Nobody has accepted .* inb_\w+ waits/);
    expect(client.getInstructions()).toMatch(/inb_\w+ waits/);
    const [item] = await items(w);
    expect(item).toMatchObject({ kind: 'gateway_tools', title: expect.stringContaining('3 new tools') });
    const decide = (as: keyof typeof people) => w.decideItem(item?.itemId as string, 'approve', as);
    await expect(decide('bot')).rejects.toMatchObject({ code: 'self_approval' });
    await decide('ana');
    await expect.poll(names).toEqual(['notes_read_note', 'notes_drop_note', 'notes_become']);
    expect(await call('notes_read_note', { id: 'a' })).toEqual({ isError: false, text: 'first note' });
  });

  it('holds a call for a person, and runs it once they agree', async () => {
    const w = await world();
    const { connect } = await w.gateways.open({
      policies: [{ policy_id: 'ask', type: 'require_approval', actions: ['notes.drop.*'] }, ALLOW_ALL],
      approval_wait_seconds: 30,
    });
    const { call } = await connect();
    const held = call('notes_drop_note');
    const waiting = async () => (await w.send('GET', '/v1/approvals')).body.items;
    await expect.poll(waiting).toHaveLength(1);
    const [approval] = await waiting();
    await w.send('POST', `/v1/approvals/${approval.approval_id}`, { decision: 'approve' }, { as: 'ana' });
    expect(await held).toEqual({ isError: false, text: 'done' });
    const refused = call('notes_drop_note');
    await expect.poll(waiting).toHaveLength(1);
    const [second] = await waiting();
    await w.send(
      'POST',
      `/v1/approvals/${second.approval_id}`,
      { decision: 'reject', reason: 'No' },
      { as: 'ana' },
    );
    expect((await refused).text).toMatch(/^ana refused this call \(inb_\w+\): No\. Do not repeat it\.$/);
  });

  it('says that nobody has answered, and runs the same call once when it is repeated after the answer', async () => {
    const w = await world();
    const { connect } = await w.gateways.open({ policies: [{ policy_id: 'ask', type: 'require_approval' }] });
    const { call } = await connect();
    const asked = { id: 'a' };
    const { text } = await call('notes_drop_note', asked);
    const nobody =
      /^Nobody has answered; this is not a refusal\. (inb_\w+) waits; go on elsewhere and repeat the same call later\.$/;
    expect(text).toMatch(nobody);
    const [, id] = nobody.exec(text) ?? [];
    await w.send('POST', `/v1/approvals/${id}`, { decision: 'approve' }, { as: 'ana' });
    for (const [tool, args] of [
      ['notes_read_note', asked],
      ['notes_drop_note', { id: 'b' }],
      ['notes_drop_note', { id: 'a', force: true }],
      ['notes_drop_note', {}],
    ] as const) {
      expect((await call(tool, args)).text).toMatch(nobody);
    }
    expect(await call('notes_drop_note', asked)).toEqual({ isError: false, text: 'done' });
    expect((await call('notes_drop_note', asked)).text).toMatch(nobody);
  });

  it('neither offers nor runs a tool that has changed, until a person accepts it', async () => {
    const w = await world();
    const { connect } = await w.gateways.open({ servers: { notes: FULL_SERVER }, policies: [ALLOW_ALL] });
    const { names, call } = await connect();
    expect(await names()).toContain('notes_read_note');
    expect((await call('notes_become')).text).toBe('changed');
    await expect.poll(names).not.toContain('notes_read_note');
    expect((await call('notes_read_note', { id: 'a' })).text).toMatch(
      /has changed since a person accepted it/,
    );
    const [item] = await items(w);
    expect(item?.title).toContain('1 changed tool');
    const shown = await w.db.read((reader) => w.inbox.describe(reader, item as never, people.ana));
    expect(JSON.stringify(shown)).toContain('Reads a note and mails it to me');
    await w.decideItem(item?.itemId as string, 'approve', 'ana');
    await expect.poll(names).toContain('notes_read_note');
    expect(await call('notes_read_note', { id: 'a' })).toMatchObject({ text: 'first note' });
  });

  it('does not ask again about what somebody has refused', async () => {
    const w = await world();
    const { connect } = await w.gateways.open({ policies: [ALLOW_ALL] }, agent);
    await connect();
    const [item] = await items(w);
    await w.decideItem(item?.itemId as string, 'reject', 'ana');
    const again = await w.gateways.open({ policies: [ALLOW_ALL] }, agent);
    await again.connect();
    expect(await items(w)).toEqual([]);
  });

  it('has an Atlas of its own, whatever others call their servers, and which nobody else is told of', async () => {
    const w = await world();
    const one = await w.gateways.open({ name: 'one', policies: [ALLOW_ALL] });
    const two = await w.gateways.open({ name: 'two', policies: [NO_DROP] });
    const [first, second] = [await one.connect(), await two.connect()];
    expect([one.gateway.atlasId, two.gateway.atlasId]).toEqual([
      'dev.baton.gateway.one',
      'dev.baton.gateway.two',
    ]);
    expect(await first.call('notes_drop_note')).toMatchObject({ text: 'done' });
    expect((await second.call('notes_drop_note')).text).toContain('Notes stay');
    const session = await w.start();
    expect((await w.resolve(session)).body.allowed_actions).toEqual([]);
  });

  it('refuses a client whose credential may not execute, or not as its agent', async () => {
    const w = await world();
    const { connect } = await w.gateways.open({ policies: [ALLOW_ALL] });
    const client = () => new Client({ name: 'x', version: '1' });
    await expect(connect(client(), people.rival)).rejects.toMatchObject({
      message: expect.stringContaining('does not speak for editor'),
    });
    await expect(connect(client(), { ...loader, scopes: new Set(['self']) })).rejects.toMatchObject({
      message: expect.stringContaining('carp:resolve'),
    });
  });
});

it('gives every tool an action of its own', () => {
  const config = gatewayConfigSchema.parse({ goal: 'g', servers: { s: SMALL_SERVER }, policies: [] });
  const listed = ['readFile', 'read_file', '2fa', 'größe', 'resources_read'].map((name) => ({
    server: 's',
    tool: { name, inputSchema: {} },
  }));
  const ids = toolChanges(config, [], listed, nodeHasher).map(({ now }) => now.action_id);
  expect(new Set(ids).size).toBe(5);
  expect(ids).not.toContain('s.resources.read');
  expect(ids[2]).toBe('s.x2fa');
  for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)+$/);
});
