import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { governanceErrors } from '../errors.ts';
import type { UpstreamConfig } from './config.ts';
import type { UpstreamTool } from './gateway-atlas.ts';

export interface UpstreamResult {
  readonly content: readonly unknown[];
  readonly structuredContent?: unknown;
}

/** A real MCP server behind the gateway. */
export interface Upstream {
  readonly name: string;
  tools(): Promise<UpstreamTool[]>;
  /** Throws when the tool reports a failure. */
  call(tool: string, parameters: Record<string, unknown>, signal: AbortSignal): Promise<UpstreamResult>;
  close(): Promise<void>;
}

export async function connectUpstream(name: string, config: UpstreamConfig): Promise<Upstream> {
  const client = new Client({ name: 'baton-gateway', version: '1.0.0' });
  const transport =
    'url' in config
      ? new StreamableHTTPClientTransport(new URL(config.url), {
          ...(config.headers && { requestInit: { headers: config.headers } }),
        })
      : new StdioClientTransport({
          command: config.command,
          stderr: 'ignore',
          ...(config.args && { args: config.args }),
          ...(config.env && { env: config.env }),
          ...(config.cwd !== undefined && { cwd: config.cwd }),
        });
  await client.connect(transport);
  return {
    name,
    async tools() {
      const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
      return tools as UpstreamTool[];
    },
    async call(tool, parameters, signal) {
      const result = await client.callTool({ name: tool, arguments: parameters }, { signal });
      const content = Array.isArray(result.content) ? result.content : [];
      if (result.isError) {
        const [first] = content as { readonly text?: string }[];
        throw governanceErrors.execution_error({ message: first?.text ?? 'The tool failed.' });
      }
      return {
        content,
        ...(result.structuredContent !== undefined && { structuredContent: result.structuredContent }),
      };
    },
    close: () => client.close(),
  };
}
