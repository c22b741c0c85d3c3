import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type McpDeps, refusalOf, sentenceOf } from '../call.ts';
import type { PrincipalOf } from '../server.ts';
import { listResources, readResource, resourceTemplates } from './resources.ts';
import type { Subscriptions } from './subscriptions.ts';

/** A session of the 2025 revisions is asked for only by those who subscribe. */
export type SubscriptionsOf = (context: ServerContext) => Subscriptions;

export function serveResources(
  server: Server,
  services: McpDeps,
  principalOf: PrincipalOf,
  subscriptions: SubscriptionsOf | undefined,
): void {
  server.setRequestHandler('resources/list', ({ params }, context) =>
    orProtocolError(services, 'resources/list', () =>
      listResources(services, principalOf(context), params?.cursor, context.mcpReq.signal),
    ),
  );
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: resourceTemplates() }));
  server.setRequestHandler('resources/read', ({ params }, context) =>
    orProtocolError(
      services,
      'resources/read',
      async () => ({
        contents: [await readResource(services, principalOf(context), params.uri, context.mcpReq.signal)],
      }),
      params.uri,
    ),
  );
  if (!subscriptions) return;
  server.setRequestHandler('resources/subscribe', ({ params }, context) =>
    orProtocolError(
      services,
      'resources/subscribe',
      async () => {
        await subscriptions(context).add(params.uri);
        return {};
      },
      params.uri,
    ),
  );
  server.setRequestHandler('resources/unsubscribe', ({ params }, context) =>
    orProtocolError(services, 'resources/unsubscribe', async () => {
      subscriptions(context).remove(params.uri);
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

async function orProtocolError<T>(
  services: McpDeps,
  method: string,
  work: () => Promise<T>,
  uri?: string,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw protocolErrorOf(services, thrown, method, uri);
  }
}
