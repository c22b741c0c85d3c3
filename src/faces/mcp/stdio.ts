import type { ListToolsResult, Server } from '@modelcontextprotocol/server';
import { type StdioServerHandle, StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpDeps } from './call.ts';
import type { Caller } from './caller.ts';
import { listeningTransport } from './resources/listening-transport.ts';
import { createSubscriptions } from './resources/subscriptions.ts';
import { createMcpServer, type McpServerDeps } from './server.ts';

export interface McpOverStdioDeps {
  readonly version: string;
  readonly list: ListToolsResult;
  /** Opens the product, at the first request that needs it. */
  readonly open: () => Promise<{
    readonly services: McpDeps;
    readonly caller: Caller;
    readonly hook: NonNullable<McpServerDeps['hook']>;
  }>;
}

/** MCP over standard input and output: the connection is the session. */
export function serveMcpOverStdio({ version, list, open }: McpOverStdioDeps): StdioServerHandle {
  let server: Server | undefined;
  let connection: string | undefined;
  const begun = new Set<string>();
  let opening: ReturnType<typeof openOnce> | undefined;

  async function openOnce() {
    const { services: given, caller, hook } = await open();
    connection = given.newRequestId();
    const services: McpDeps = {
      ...given,
      ...(given.sessionFor && {
        sessionFor: async (...asked) => {
          const sessionId = await given.sessionFor?.(...asked);
          if (sessionId !== undefined) begun.add(sessionId);
          return sessionId;
        },
      }),
    };
    const log = (error: unknown) => services.log(error, { requestId: '', operation: 'mcp.stdio' });
    const subscriptions = createSubscriptions(services, {
      now: caller.now,
      updated: (uri) => void server?.sendResourceUpdated({ uri }).catch(log),
      ended: () => undefined,
    });
    return { services, caller, hook, subscriptions, log };
  }
  const opened = () => {
    opening ??= openOnce();
    return opening;
  };

  const handle = serveStdio(
    ({ era }) => {
      server = createMcpServer({
        version,
        list: () => list,
        services: async () => (await opened()).services,
        principalOf: async () => (await opened()).caller.principal,
        connectionOf: () => connection,
        hook: async (message) => (await opened()).hook(message),
        subscriptions: era === 'legacy' ? async () => (await opened()).subscriptions : undefined,
      });
      return server;
    },
    {
      transport: listeningTransport(opened, new StdioServerTransport()),
      onerror: (error) => void opened().then(({ log }) => log(error)),
    },
  );
  return {
    async close() {
      const open = await opening?.catch(() => undefined);
      open?.subscriptions.close();
      for (const sessionId of begun) {
        begun.delete(sessionId);
        await open?.services.endSession?.(open.caller.principal, sessionId).catch(open.log);
      }
      await handle.close();
    },
  };
}
