import { createMcpHandler, type McpRequestContext } from '@modelcontextprotocol/server';
import type { Principal } from '../identity/principal.ts';
import type { Handlers } from '../operations/handler.ts';
import type { mcpOperations } from './operations.ts';
import { createMcpFactory, type McpServices } from './server.ts';

/** MCP on a route of the server: who calls was found out before, and travels beside the request. */
export function createMcpHandlers(services: McpServices): Handlers<typeof mcpOperations> {
  const handler = createMcpHandler((context) => createMcpFactory(services, principalOf(context))(context), {
    onerror: (error) => services.log(error, { requestId: '', operation: 'mcp.http' }),
  });
  return {
    'mcp.http': (request, { principal }) =>
      handler.fetch(request, {
        authInfo: {
          token: '',
          clientId: principal.actor.id,
          scopes: [...principal.scopes],
          extra: { principal },
        },
      }),
  };
}

function principalOf(context: McpRequestContext): Principal {
  return context.authInfo?.extra?.principal as Principal;
}
