import {
  createMcpHandler,
  type JSONRPCErrorResponse,
  type ProtocolError,
  type RequestId,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { subjectOf } from '../../../spine/identity/access.ts';
import { Shares } from '../../../spine/operations/shares.ts';
import { here, type McpDeps } from '../call.ts';
import type { Caller } from '../caller.ts';
import { mcpErrors } from '../errors.ts';
import { createMcpServer } from '../server.ts';
import { protocolErrorOf } from './handlers.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

export const LISTEN = 'subscriptions/listen';

export interface ListenMessage {
  readonly id: RequestId;
  readonly params?: { readonly notifications?: { readonly resourceSubscriptions?: unknown } };
}

/** The resources that a request of the 2026 revision wants to hear of. Its form is for the SDK to judge. */
export function listenedUris({ params }: { readonly params?: unknown }): string[] {
  const uris = (params as ListenMessage['params'])?.notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
}

/** All of them or none: the error names the first that is refused. */
export async function addAll(
  services: McpDeps,
  subscriptions: Subscriptions,
  uris: readonly string[],
): Promise<ProtocolError | undefined> {
  const added: string[] = [];
  for (const uri of uris) {
    try {
      if (await subscriptions.add(uri)) added.push(uri);
    } catch (thrown) {
      for (const one of added) subscriptions.remove(one);
      return protocolErrorOf(services, thrown, LISTEN, uri);
    }
  }
  return undefined;
}

export function listenRefusal(id: RequestId, { code, message, data }: ProtocolError): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code, message, data } };
}

export type Listen = (caller: Caller, request: Request, message: ListenMessage) => Promise<Response>;

const LISTENERS = { most: 1_000, each: 100 };

/** A listen request over HTTP is its own session: it lasts as long as its stream. */
export function createListen(services: McpDeps): Listen {
  const places = new Shares(LISTENERS);

  return async (caller, request, message) => {
    const leave = places.take(subjectOf(caller.principal.actor));
    if (!leave) {
      const full = protocolErrorOf(services, mcpErrors.too_many_subscriptions(), LISTEN);
      return Response.json(listenRefusal(message.id, full));
    }
    let told: Parameters<ServerEventBus['subscribe']>[0] | undefined;
    const subscriptions = createSubscriptions(services, {
      now: caller.now,
      updated: (uri) => told?.({ kind: 'resource_updated', uri }),
      ended: () => void handler.close(),
    });
    const stop = () => {
      leave();
      subscriptions.close();
    };
    const handler = createMcpHandler(
      () =>
        createMcpServer({
          ...here(services),
          connectionOf: () => undefined,
          principalOf: () => caller.principal,
        }),
      {
        legacy: 'reject',
        bus: {
          publish: () => undefined,
          subscribe(listener) {
            told = listener;
            return stop;
          },
        },
      },
    );
    try {
      const refused = await addAll(services, subscriptions, listenedUris(message));
      if (refused) return Response.json(listenRefusal(message.id, refused));
      return await handler.fetch(request, { parsedBody: message });
    } finally {
      if (!told) stop();
    }
  };
}
