import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { describeOnSqlite } from '../../../spine/storage/testing.ts';
import { openWorld, worldMigrations } from '../testing/world.ts';
import type { UpstreamConfig } from './config.ts';
import { fullServer } from './testing/full-server.mjs';
import { ALLOW_ALL, FULL_SERVER, gatewaysOn, type Notice } from './testing/gateway-world.ts';
import { serveOverHttp } from './testing/http-server.ts';
import { serveOverSse } from './testing/sse-server.ts';

/** A client that can do everything, and keeps what it is told. */
function fullClient() {
  const notices: Notice[] = [];
  const client = new Client(
    { name: 'editor', version: '1' },
    { capabilities: { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } } },
  );
  client.setRequestHandler('sampling/createMessage', async () => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'word' },
  }));
  client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept',
    content: { colour: 'red' },
  }));
  client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///work' }] }));
  client.fallbackNotificationHandler = async ({ method, params }) => {
    notices.push({ method, params: params as Notice['params'] });
  };
  return { client, notices, heard: (method: string) => notices.filter((each) => each.method === method) };
}

const prefixed = (items: readonly { name: string }[]) =>
  items.map((item) => ({ ...item, name: `notes_${item.name}` }));

describeOnSqlite('through the gateway', (open) => {
  let gateways: ReturnType<typeof gatewaysOn> | undefined;
  afterEach(async () => gateways?.close());

  async function through(upstream: UpstreamConfig) {
    gateways = gatewaysOn(await openWorld(await open(worldMigrations)));
    const { connect } = await gateways.open({ servers: { notes: upstream }, policies: [ALLOW_ALL] });
    const full = fullClient();
    return { ...full, ...(await connect(full.client)) };
  }

  it('a client sees tools, resources and prompts as their server has them, but for the names', async () => {
    const { client } = await through(FULL_SERVER);
    const direct = new Client({ name: 'direct', version: '1' });
    await direct.connect(new StdioClientTransport(FULL_SERVER as { command: string }));
    onTestFinished(() => direct.close());
    const { tools } = await direct.listTools();
    expect((await client.listTools()).tools).toEqual(prefixed(tools));
    expect(tools.find(({ name }) => name === 'write_note')?.annotations?.destructiveHint).toBe(true);
    expect(await client.listResources()).toEqual({
      resources: [
        ...(await direct.listResources()).resources,
        ...(await direct.listResources({ cursor: '2' })).resources,
      ].filter((each, at, all) => all.findIndex(({ uri }) => uri === each.uri) === at),
    });
    expect(await client.listResourceTemplates()).toEqual(await direct.listResourceTemplates());
    expect(await client.listPrompts()).toEqual({ prompts: prefixed((await direct.listPrompts()).prompts) });
    expect(client.getServerCapabilities()).toEqual(direct.getServerCapabilities());
    expect(client.getInstructions()).toBe(direct.getInstructions());
    const args = { name: 'read_note', arguments: { id: 'a' } };
    expect(await client.callTool({ ...args, name: 'notes_read_note' })).toEqual(await direct.callTool(args));
    expect(await client.callTool({ name: 'notes_fail' })).toEqual(await direct.callTool({ name: 'fail' }));
    expect(await client.readResource({ uri: 'note://all/7' })).toEqual(
      await direct.readResource({ uri: 'note://all/7' }),
    );
    const prompt = { name: 'greet', arguments: { who: 'Ana' } };
    expect(await client.getPrompt({ ...prompt, name: 'notes_greet' })).toEqual(
      await direct.getPrompt(prompt),
    );
    const argument = { name: 'who', value: 'A' };
    expect(await client.complete({ ref: { type: 'ref/prompt', name: 'notes_greet' }, argument })).toEqual(
      await direct.complete({ ref: { type: 'ref/prompt', name: 'greet' }, argument }),
    );
    const ref = { type: 'ref/resource' as const, uri: 'note://all/{id}' };
    expect(await client.complete({ ref, argument })).toEqual(await direct.complete({ ref, argument }));
  });

  const transports = {
    'standard input and output': async () => FULL_SERVER,
    'streamable HTTP': async () => {
      const { url, close } = await serveOverHttp(fullServer);
      onTestFinished(close);
      return { url };
    },
    SSE: async () => {
      const { url, close } = await serveOverSse(fullServer);
      onTestFinished(close);
      return { type: 'sse' as const, url };
    },
  };

  it.each(Object.entries(transports))(
    'a server over %s and its client reach each other',
    async (_, upstream) => {
      const { client, call, heard } = await through(await upstream());
      const progress: unknown[] = [];
      await client.callTool({ name: 'notes_count' }, { onprogress: (each) => progress.push(each) });
      expect(progress).toEqual([1, 2, 3, 4].map((n) => ({ progress: n, total: 4, message: `${n} of 4` })));
      expect(await call('notes_sample')).toEqual({ isError: false, text: 'word' });
      expect(await call('notes_ask')).toEqual({ isError: false, text: 'accept red' });
      expect(await call('notes_roots')).toEqual({ isError: false, text: 'file:///work' });
      await client.setLoggingLevel('info');
      await call('notes_log');
      await expect
        .poll(() => heard('notifications/message').map(({ params }) => params))
        .toEqual([{ level: 'warning', logger: 'full', data: 'Careful' }]);
      await client.subscribeResource({ uri: 'note://a' });
      await call('notes_touch');
      await expect
        .poll(() => heard('notifications/resources/updated').map(({ params }) => params))
        .toEqual([{ uri: 'note://a' }]);
      await expect.poll(() => heard('notifications/resources/list_changed').length).toBe(1);
      await expect.poll(() => heard('notifications/prompts/list_changed').length).toBe(1);
      await call('notes_grow');
      await expect.poll(() => heard('notifications/tools/list_changed').length).toBeGreaterThan(0);
      expect(
        (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name),
      ).toContain('notes_grown');
      const stop = new AbortController();
      const slow = client.callTool(
        { name: 'notes_slow' },
        { signal: stop.signal, onprogress: () => stop.abort() },
      );
      await expect(slow).rejects.toThrow();
      await expect.poll(() => call('notes_read_note', { id: 'cancelled' })).toMatchObject({ text: 'yes' });
    },
  );

  it('resources and prompts pass unless a policy takes them away', async () => {
    const world = await openWorld(await open(worldMigrations));
    gateways = gatewaysOn(world);
    const { connect } = await gateways.open({
      servers: { notes: FULL_SERVER },
      policies: [ALLOW_ALL, { policy_id: 'no-read', type: 'deny', actions: ['notes.resources.*'] }],
    });
    const { client } = await connect();
    expect((await client.listResources()).resources).toEqual([]);
    await expect(client.readResource({ uri: 'note://a' })).rejects.toThrow(/no-read/);
    expect((await client.listPrompts()).prompts).toHaveLength(2);
  });

  it('a client that asks for the newest revision first is served with the one before', async () => {
    gateways = gatewaysOn(await openWorld(await open(worldMigrations)));
    const { connect } = await gateways.open({ servers: { notes: FULL_SERVER }, policies: [ALLOW_ALL] });
    const { names } = await connect(
      new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode: 'auto' } }),
    );
    expect(await names()).toContain('notes_read_note');
  });
});
