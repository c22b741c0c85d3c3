/** Real MCP clients for tests, over HTTP and over stdio. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { batonBinary } from '../setup/cli.ts';
import type { TestServer } from '../setup/server.ts';

export type ToolResult = Awaited<ReturnType<Client['callTool']>>;

export async function overHttp(server: TestServer, token: string, path = '/mcp'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}${path}`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

export async function overStdio(
  server: TestServer,
  { token, cwd, env = {} }: { token?: string; cwd?: string; env?: Record<string, string> } = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [await batonBinary(), 'mcp'],
      env: {
        PATH: process.env.PATH ?? '',
        BATON_DATA: server.dataDir,
        ...(token !== undefined && { BATON_TOKEN: token }),
        ...env,
      },
      ...(cwd !== undefined && { cwd }),
    }),
  );
  return client;
}

export async function agentKey(server: TestServer, name: string): Promise<string> {
  const { token } = await server.client.call('keys.create', { actor_id: name, actor_type: 'agent' });
  return token as string;
}

export function textOf(result: ToolResult): string {
  const [first] = result.content as { type: string; text: string }[];
  return first?.text ?? '';
}

export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolResult> {
  return client.callTool({ name, arguments: args });
}
