import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { UpstreamConfig } from './config.ts';
import type { Wire } from './rpc.ts';

export interface UpstreamWire {
  readonly wire: Wire;
  /** Called with the revision that was agreed on: HTTP names it in every request. */
  agreed(protocolVersion: string): void;
  /** Ends the session where the other side keeps one. */
  farewell(): Promise<void>;
  /** Whether an error of the connection means that answers to what was sent are lost. */
  readonly endsWithError: boolean;
}

/** The connection to an MCP server that the config describes; `stderr` gets what a process of its own writes there. */
export function upstreamWire(config: UpstreamConfig, stderr: (text: string) => void): UpstreamWire {
  if ('command' in config) {
    const { command, args, env, cwd } = config;
    const transport = new StdioClientTransport({
      command,
      stderr: 'pipe',
      ...(args && { args }),
      ...(env && { env }),
      ...(cwd !== undefined && { cwd }),
    });
    transport.stderr?.on('data', (piece: Buffer) => stderr(piece.toString()));
    return {
      wire: transport as Wire,
      agreed: () => undefined,
      farewell: async () => undefined,
      endsWithError: false,
    };
  }
  const options = config.headers ? { requestInit: { headers: config.headers } } : {};
  if (config.type === 'sse') {
    const transport = new SSEClientTransport(new URL(config.url), options);
    return {
      wire: transport as Wire,
      agreed: (version) => transport.setProtocolVersion(version),
      farewell: async () => undefined,
      endsWithError: true,
    };
  }
  const transport = new StreamableHTTPClientTransport(new URL(config.url), options);
  return {
    wire: transport as unknown as Wire,
    agreed: (version) => transport.setProtocolVersion(version),
    farewell: () => transport.terminateSession().catch(() => undefined),
    endsWithError: false,
  };
}
