import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batonBinary } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.close();
});

async function overHttp(token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

async function overStdio(): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [await batonBinary(), 'mcp'],
      env: { PATH: process.env.PATH ?? '', BATON_DATA: server.dataDir },
    }),
  );
  return client;
}

function textOf(result: Awaited<ReturnType<Client['callTool']>>): string {
  const [first] = result.content as { type: string; text: string }[];
  return first?.text ?? '';
}

describe.each([
  ['streamable HTTP', () => overHttp(server.ownerToken)],
  ['stdio, beside a running server', overStdio],
])('MCP over %s', (_, connect) => {
  it('lists tools derived from the operations, each action named', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    const journal = tools.find(({ name }) => name === 'journal');
    expect(journal?.description).toContain('- changes: ');
    expect(journal?.inputSchema.required).toEqual(['action']);
    await client.close();
  });

  it('calls an operation and answers its JSON', async () => {
    const client = await connect();
    const result = await client.callTool({ name: 'journal', arguments: { action: 'changes', limit: 2 } });
    expect(JSON.parse(textOf(result)).events).toHaveLength(2);
    await client.close();
  });

  it('says what is wrong and what to do, as an error of the tool', async () => {
    const client = await connect();
    const result = await client.callTool({ name: 'inbox', arguments: { action: 'get', id: 'none' } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^item_not_found: /);
    await client.close();
  });
});

describe('MCP over HTTP', () => {
  it('refuses whoever has no credential', async () => {
    const response = await fetch(`${server.url}/mcp`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
  });

  it('holds a key to its scopes, operation by operation', async () => {
    const { token } = await server.client.call('keys.create', {
      actor_id: 'reader',
      actor_type: 'agent',
      scopes: ['self', 'inbox:read'],
    });
    const client = await overHttp(token!);
    expect((await client.callTool({ name: 'inbox', arguments: { action: 'list' } })).isError).toBeFalsy();
    const refused = await client.callTool({ name: 'journal', arguments: { action: 'changes' } });
    expect(textOf(refused)).toMatch(/^forbidden: /);
    await client.close();
  });
});
