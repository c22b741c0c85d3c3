import type { Server } from '@modelcontextprotocol/server';
import { type StdioServerHandle, StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpDeps } from './call.ts';
import type { Caller } from './caller.ts';
import { listeningTransport } from './resources/listening-transport.ts';
import { createSubscriptions } from './resources/subscriptions.ts';
import { createMcpServer } from './server.ts';

/** MCP over standard input and output: the connection is the session. */
export function serveMcpOverStdio(services: McpDeps, caller: Caller): StdioServerHandle {
  const log = (error: unknown) => services.log(error, { requestId: '', operation: 'mcp.stdio' });
  let server: Server | undefined;
  const subscriptions = createSubscriptions(services, {
    now: caller.now,
    updated: (uri) => void server?.sendResourceUpdated({ uri }).catch(log),
    ended: () => undefined,
  });
  const handle = serveStdio(
    ({ era }) => {
      const subscribing = era === 'legacy' ? () => subscriptions : undefined;
      server = createMcpServer(services, () => caller.principal, subscribing);
      return server;
    },
    { transport: listeningTransport(services, subscriptions, new StdioServerTransport()), onerror: log },
  );
  return {
    async close() {
      subscriptions.close();
      await handle.close();
    },
  };
}
