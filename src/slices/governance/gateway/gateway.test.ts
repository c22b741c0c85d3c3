import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { nodeHasher } from '../../../platform/node-hasher.ts';
import { describeOnSqlite } from '../../../spine/storage/testing.ts';
import type { Policy } from '../atlases/schema.ts';
import { openWorld, people, worldMigrations } from '../testing/world.ts';
import { gatewayConfigSchema, type UpstreamConfig } from './config.ts';
import { openGateway } from './gateway.ts';
import { toolActions } from './gateway-atlas.ts';
import { pinsInMemory } from './pins.ts';
import { connectUpstream } from './upstream.ts';

const stdio: UpstreamConfig = {
  command: process.execPath,
  args: [join(import.meta.dirname, 'testing/small-server.mjs')],
};

describeOnSqlite('the gateway', (open) => {
  const cleanups: (() => Promise<void>)[] = [];
  // Later hooks run first: the gateway ends its session before the store is closed.
  afterEach(async () => {
    for (const clean of cleanups.splice(0)) await clean();
  });

  it('is not opened for an agent that its key does not speak for, and has then changed nothing', async () => {
    const world = await openWorld(await open(worldMigrations));
    const config = gatewayConfigSchema.parse({ agent_id: 'editor', goal: 'g', servers: {}, policies: [] });
    const governed = { config, governance: world.governance, pins: pinsInMemory(), upstreams: [] };
    await expect(openGateway({ ...governed, principal: people.bot })).rejects.toMatchObject({
      code: 'session_not_owned',
      details: { named: 'editor' },
    });
    expect((await world.send('GET', '/v1/atlases')).body.items ?? []).toEqual([]);
  });

  async function gateway(policies: Policy[], upstream: UpstreamConfig = stdio) {
    const world = await openWorld(await open(worldMigrations));
    const config = gatewayConfigSchema.parse({
      agent_id: 'editor',
      goal: 'Keep notes',
      servers: { notes: upstream },
      policies,
    });
    const opened = await openGateway({
      config,
      governance: world.governance,
      principal: { ...people.bot, speaksFor: ['editor'] },
      pins: pinsInMemory(),
      upstreams: [await connectUpstream('notes', upstream)],
    });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await opened.createServer().connect(theirs);
    const client = new Client({ name: 'editor', version: '1' });
    await client.connect(ours);
    cleanups.push(async () => {
      await client.close();
      await opened.close();
    });
    const names = async () =>
      (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name);
    const call = async (name: string, args: Record<string, unknown> = {}) => {
      const { isError, content } = await client.callTool({ name, arguments: args });
      return { isError: isError ?? false, text: (content as { text: string }[])[0]?.text ?? '' };
    };
    return { ...world, opened, names, call };
  }

  it('shows only what is allowed, runs it through CARP, and traces it', async () => {
    const g = await gateway([
      { policy_id: 'read', type: 'allow', actions: ['notes.read.*'] },
      { policy_id: 'no-drop', type: 'deny', actions: ['notes.drop.*'], parameters: { reason: 'Notes stay' } },
    ]);
    expect(await g.names()).toEqual(['notes_read_note']);
    expect(await g.call('notes_read_note', { id: 'a' })).toEqual({ isError: false, text: 'first note' });
    expect(await g.call('notes_drop_note')).toMatchObject({
      isError: true,
      text: expect.stringContaining('Notes stay'),
    });
    expect(await g.call('notes_read_note', { id: 'a' })).toMatchObject({ text: 'first note' });
    expect(await g.call('notes_read_note', { id: 5 })).toMatchObject({
      isError: true,
      text: expect.stringContaining('INVALID_PARAMETERS'),
    });
    expect(await g.call('nothing')).toMatchObject({ isError: true });
    const types = (await g.trace(g.opened.sessionId)).map(({ event_type }) => event_type);
    expect(types.filter((type) => type === 'action.executed').length).toBe(2);
    expect(types.filter((type) => type === 'action.denied').length).toBe(2);
    expect((await g.send('POST', `/v1/traces/${g.opened.sessionId}/verify`)).body.valid).toBe(true);
  });

  it('waits for a person where a policy says so', async () => {
    const g = await gateway([{ policy_id: 'ask', type: 'require_approval', actions: ['notes.drop.*'] }]);
    const waiting = await g.call('notes_drop_note');
    expect(waiting).toMatchObject({
      isError: true,
      text: expect.stringContaining('ACTION_REQUIRES_APPROVAL'),
    });
    const [approval] = (await g.send('GET', '/v1/approvals')).body.items;
    await g.send('POST', `/v1/approvals/${approval.approval_id}`, { decision: 'approve' }, { as: 'ana' });
    expect(await g.call('notes_drop_note')).toEqual({ isError: false, text: 'done' });
  });

  it('lets an approval pass no other tool, path or arguments, and no second call', async () => {
    const g = await gateway([{ policy_id: 'ask', type: 'require_approval' }]);
    const asked = { id: 'a' };
    await g.call('notes_drop_note', asked);
    const [approval] = (await g.send('GET', '/v1/approvals')).body.items;
    await g.send('POST', `/v1/approvals/${approval.approval_id}`, { decision: 'approve' }, { as: 'ana' });
    for (const [tool, args] of [
      ['notes_read_note', asked],
      ['notes_drop_note', { id: 'b' }],
      ['notes_drop_note', { id: 'a', force: true }],
      ['notes_drop_note', {}],
    ] as const) {
      expect((await g.call(tool, args)).text).toContain('ACTION_REQUIRES_APPROVAL');
    }
    expect(await g.call('notes_drop_note', asked)).toEqual({ isError: false, text: 'done' });
    expect((await g.call('notes_drop_note', asked)).text).toContain('ACTION_REQUIRES_APPROVAL');
  });

  it('quarantines a tool that is no longer what was pinned', async () => {
    const g = await gateway([{ policy_id: 'all', type: 'allow' }]);
    expect((await g.names()).sort()).toEqual(['notes_become', 'notes_drop_note', 'notes_read_note']);
    expect((await g.call('notes_become')).text).toBe('done');
    expect(await g.names()).toEqual(['notes_drop_note', 'notes_become']);
    expect(await g.call('notes_read_note', { id: 'a' })).toMatchObject({ isError: true });
    expect(await g.opened.refresh()).toEqual({ quarantined: ['notes/read_note'] });
  });

  it('stands before servers over streamable HTTP too', async () => {
    const handler = createMcpHandler(() => {
      const server = new Server({ name: 'web', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/list', async () => ({
        tools: [{ name: 'ping', description: 'Answers', inputSchema: { type: 'object' as const } }],
      }));
      server.setRequestHandler('tools/call', async () => ({
        content: [{ type: 'text' as const, text: 'pong' }],
      }));
      return server;
    });
    const http = createServer(async (incoming, outgoing) => {
      const body = await new Promise<Buffer>((done) => {
        const pieces: Buffer[] = [];
        incoming.on('data', (piece) => pieces.push(piece)).on('end', () => done(Buffer.concat(pieces)));
      });
      const request = new Request(`http://127.0.0.1${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers: incoming.headers as Record<string, string>,
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      });
      const response = await handler.fetch(request);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    });
    await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
    onTestFinished(() => {
      http.closeAllConnections();
      http.close();
    });
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const g = await gateway([{ policy_id: 'all', type: 'allow' }], { url });
    expect(await g.names()).toEqual(['notes_ping']);
    expect(await g.call('notes_ping')).toEqual({ isError: false, text: 'pong' });
  });

  it('gives every tool an action of its own', () => {
    const tool = (name: string) => ({ server: 's', tool: { name, inputSchema: {} } });
    const ids = toolActions(
      [tool('readFile'), tool('read_file'), tool('2fa'), tool('größe')],
      nodeHasher,
    ).map(({ actionId }) => actionId);
    expect(new Set(ids).size).toBe(4);
    expect(ids[2]).toBe('s.x2fa');
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)+$/);
  });
});
