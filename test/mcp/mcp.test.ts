import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolLists } from '../../src/app/mcp-tools.ts';
import { batonBinary } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { overHttp, overStdio, textOf } from './clients.ts';

const CORE = [
  'orient',
  'deposit',
  'search',
  'facts',
  'may_i',
  'ask_person',
  'get_answer',
  'find_action',
  'call_action',
];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.close();
});

describe.each([
  ['streamable HTTP', () => overHttp(server, server.ownerToken)],
  ['stdio, beside a running server', () => overStdio(server)],
])('MCP over %s', (_, connect) => {
  it('lists the core, and finds and describes the rest', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(CORE);
    const all = await client.callTool({ name: 'find_action', arguments: {} });
    expect(textOf(all)).toContain('- journal.changes: ');
    const one = await client.callTool({ name: 'find_action', arguments: { action: 'journal.changes' } });
    expect(JSON.parse(textOf(one))).toMatchObject({
      action: 'journal.changes',
      annotations: { readOnlyHint: true },
      arguments: { type: 'object', properties: { limit: {} } },
    });
    const called = await client.callTool({
      name: 'call_action',
      arguments: { action: 'journal.changes', arguments: { limit: 2 } },
    });
    expect(JSON.parse(textOf(called)).events).toHaveLength(2);
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
    const client = await overHttp(server, token!);
    expect((await client.callTool({ name: 'inbox', arguments: { action: 'list' } })).isError).toBeFalsy();
    const refused = await client.callTool({ name: 'journal', arguments: { action: 'changes' } });
    expect(textOf(refused)).toMatch(/^forbidden: /);
    await client.close();
  });
});

describe('the tools of MCP', () => {
  it.each([
    ['core', '/mcp'],
    ['all', '/mcp?tools=all'],
  ] as const)('are listed in the build as a running server lists them: %s', async (listing, path) => {
    const client = await overHttp(server, server.ownerToken, path);
    const listed = await client.listTools();
    expect(JSON.parse(JSON.stringify(toolLists[listing])).tools).toEqual(listed.tools);
    await client.close();
  });

  it('cost an agent at most 8,000 characters', () => {
    expect(JSON.stringify(toolLists.core).length).toBeLessThanOrEqual(8_000);
  });

  it('are every group as well, for a connection that asks for all of them', async () => {
    const client = await overStdio(server, { env: { BATON_MCP_TOOLS: 'all' } });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...CORE, 'journal', 'context']));
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
