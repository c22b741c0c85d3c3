import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { describeOnSqlite } from '../../../spine/storage/testing.ts';
import { openWorld, people, worldMigrations } from '../testing/world.ts';
import { gatewayConfigSchema } from './config.ts';
import { gatewayOverHttp } from './http.ts';
import { ALLOW_ALL, callsOf, FULL_SERVER, gatewaysOn } from './testing/gateway-world.ts';
import { listenOnLoopback } from './testing/http-server.ts';

describeOnSqlite('the gateway over HTTP', (open) => {
  let gateways: ReturnType<typeof gatewaysOn> | undefined;
  afterEach(async () => gateways?.close());

  async function served(parts: object = {}) {
    const world = await openWorld(await open(worldMigrations));
    gateways = gatewaysOn(world);
    const config = { agent_id: undefined, servers: { notes: FULL_SERVER }, policies: [ALLOW_ALL], ...parts };
    const { gateway } = await gateways.open(config);
    const http = gatewayOverHttp(gateway, gatewayConfigSchema.parse({ goal: 'g', ...config }));
    const { url, close } = await listenOnLoopback(async (request) =>
      http.handle(request, people[(request.headers.get('x-as') ?? 'bot') as keyof typeof people]),
    );
    onTestFinished(close);
    async function connect(as: keyof typeof people, capabilities = {}) {
      const client = new Client({ name: as, version: '1' }, { capabilities });
      const transport = new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { 'x-as': as } },
      });
      await client.connect(transport);
      return { client, transport, ...callsOf(client) };
    }
    return { world, url, http, connect };
  }

  it('gives each client servers, answers and a session of its own', async () => {
    const { world, connect, http } = await served();
    const clients = await Promise.all(
      (['bot', 'rival'] as const).map((as) => connect(as, { elicitation: {} })),
    );
    for (const [at, { client }] of clients.entries()) {
      client.setRequestHandler('elicitation/create', async () => ({
        action: 'accept',
        content: { colour: `colour ${at}` },
      }));
    }
    const asked = await Promise.all(clients.map(({ call }) => call('notes_ask')));
    expect(asked.map(({ text }) => text)).toEqual(['accept colour 0', 'accept colour 1']);
    const pids = await Promise.all(clients.map(({ call }) => call('notes_pid')));
    expect(new Set(pids.map(({ text }) => text)).size).toBe(2);
    const sessions = (await world.send('GET', '/v1/sessions')).body.items;
    expect(sessions.map(({ agent_id }: { agent_id: string }) => agent_id).sort()).toEqual(['bot', 'rival']);
    for (const { transport } of clients) await transport.terminateSession();
    await expect.poll(async () => (await world.send('GET', '/v1/sessions')).body.items).toEqual([]);
    await http.close();
  });

  it('lets nobody use the session of another', async () => {
    const { url, connect, http } = await served();
    const { transport } = await connect('bot');
    const stolen = await fetch(url, {
      method: 'POST',
      headers: {
        'x-as': 'rival',
        'mcp-session-id': transport.sessionId ?? '',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    expect(stolen.status).toBe(404);
    await http.close();
  });

  it('refuses more clients than it was told to serve', async () => {
    const { connect, http } = await served({ max_clients: 1 });
    await connect('bot');
    await expect(connect('rival')).rejects.toThrow(/1 clients are connected|503/);
    await http.close();
  });
});
