import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type McpDeps, refusalOf, sentenceOf } from '../call.ts';
import type { McpServerDeps } from '../server.ts';
import { listResources, readResource, resourceTemplates } from './resources.ts';
import type { Subscriptions } from './subscriptions.ts';

/** A session of the 2025 revisions is asked for only by those who subscribe. */
export type SubscriptionsOf = (context: ServerContext) => Subscriptions | Promise<Subscriptions>;

export function serveResources(server: Server, deps: McpServerDeps): void {
  const { principalOf, subscriptions } = deps;

  async function orProtocolError<T>(
    method: string,
    work: (services: McpDeps) => Promise<T>,
    uri?: string,
  ): Promise<T> {
    const services = await deps.services();
    try {
      return await work(services);
    } catch (thrown) {
      throw protocolErrorOf(services, thrown, method, uri);
    }
  }

  server.setRequestHandler('resources/list', ({ params }, context) =>
    orProtocolError('resources/list', async (services) =>
      listResources(services, await principalOf(context), params?.cursor, context.mcpReq.signal),
    ),
  );
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: resourceTemplates() }));
  server.setRequestHandler('resources/read', ({ params }, context) =>
    orProtocolError(
      'resources/read',
      async (services) => ({
        contents: [
          await readResource(services, await principalOf(context), params.uri, context.mcpReq.signal),
        ],
      }),
      params.uri,
    ),
  );
  if (!subscriptions) return;
  server.setRequestHandler('resources/subscribe', ({ params }, context) =>
    orProtocolError(
      'resources/subscribe',
      async () => {
        await (await subscriptions(context)).add(params.uri);
        return {};
      },
      params.uri,
    ),
  );
  server.setRequestHandler('resources/unsubscribe', ({ params }, context) =>
    orProtocolError('resources/unsubscribe', async () => {
      (await subscriptions(context)).remove(params.uri);
      return {};
    }),
  );
}

/** Our own error as the protocol spells it; `data` keeps what a program can act on. */
export function protocolErrorOf(services: McpDeps, thrown: unknown, method: string, uri?: string) {
  const error = refusalOf(services, thrown, method);
  if (error.status === 404 && uri !== undefined) return new ResourceNotFoundError(uri, sentenceOf(error));
  const code = error.status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidRequest;
  return new ProtocolError(code, sentenceOf(error), { code: error.code, status: error.status });
}
