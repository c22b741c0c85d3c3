import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolList } from '../../src/app/mcp-tools.ts';
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
  it.each([
    { params: [0, 1] },
    { params: 'text' },
    { params: { _meta: 7 } },
    { params: { _meta: { progressToken: {} } } },
    { id: 1.5 },
    { extra: 1, params: [] },
  ])('answers a caller whose request is none, instead of leaving it to wait: %j', async (odd) => {
    const response = await server.fetch('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', ...odd }),
      signal: AbortSignal.timeout(60_000),
    });
    expect(response.status).toBeLessThan(500);
    await response.text();
  });

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

describe('the tools of MCP', () => {
  it('are listed in the build as a running server lists them', async () => {
    const client = await overHttp(server.ownerToken);
    const listed = await client.listTools();
    expect(JSON.parse(JSON.stringify(toolList)).tools).toEqual(listed.tools);
    await client.close();
  });
});

describe('one server for the requests of many callers', () => {
  const call = (token: string, id: number | string, params: object, accept = BOTH) =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
    });
  const BOTH = 'application/json, text/event-stream';

  it('gives each its own answer under its own id, with its own rights', async () => {
    const { token } = await server.client.call('keys.create', {
      actor_id: 'narrow',
      actor_type: 'agent',
      scopes: ['self', 'inbox:read'],
    });
    const asked = Array.from({ length: 20 }, (_, at) => ({
      id: at % 3 === 0 ? `text ${at % 2}` : at % 4,
      token: at % 2 === 0 ? server.ownerToken : token!,
    }));
    const answers = await Promise.all(
      asked.map(async ({ id, token: own }) => {
        const response = await call(own, id, { name: 'journal', arguments: { action: 'changes', limit: 1 } });
        return (await response.json()) as { id: unknown; result: { isError?: boolean } };
      }),
    );
    expect(answers.map(({ id, result }) => [id, result.isError === true])).toEqual(
      asked.map(({ id, token: own }) => [id, own === token]),
    );
  });

  it('leaves to the SDK what is odd about a request', async () => {
    const params = { name: 'inbox', arguments: { action: 'list' } };
    expect((await call(server.ownerToken, 1, params, 'application/json')).status).toBe(406);
    const nameless = (await (await call(server.ownerToken, 1, {})).json()) as { error: { code: number } };
    expect(nameless.error.code).toBe(-32602);
    const unread = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.ownerToken}`,
        'content-type': 'application/json',
        accept: BOTH,
      },
      body: '{"jsonrpc":',
    });
    expect([unread.status, await unread.text()]).toEqual([400, expect.stringContaining('-32700')]);
  });
});

describe('MCP over stdio', () => {
  it('ends with the reason when its credential is not taken', async () => {
    const child = spawn(process.execPath, [await batonBinary(), 'mcp'], {
      env: { PATH: process.env.PATH ?? '', BATON_DATA: server.dataDir, BATON_TOKEN: 'nobody' },
    });
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
    const [code] = await once(child, 'exit');
    expect([code, told]).toEqual([expect.toSatisfy((status) => status !== 0), expect.stringMatching(/\S/)]);
  });
});
