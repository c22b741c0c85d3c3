import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { McpDeps } from '../call.ts';
import { addAll, LISTEN, listenedUris, listenRefusal } from './listen.ts';
import type { Subscriptions } from './subscriptions.ts';

/**
 * Over one connection the SDK serves `subscriptions/listen` itself and tells nobody: this stands before it, subscribes
 * to what is listened for, and lets a request pass only if all of it may be read.
 */
export function listeningTransport(
  open: () => Promise<{ readonly services: McpDeps; readonly subscriptions: Subscriptions }>,
  wire: Transport,
): Transport {
  const listens = new Map<unknown, readonly string[]>();

  async function admits(message: JSONRPCMessage): Promise<boolean> {
    if (!('method' in message)) return true;
    if (message.method === 'notifications/cancelled') await forget(message.params?.requestId);
    if (message.method !== LISTEN || !('id' in message)) return true;
    const uris = listenedUris(message);
    const { services, subscriptions } = await open();
    const refused = await addAll(services, subscriptions, uris);
    if (refused) await wire.send(listenRefusal(message.id, refused));
    else listens.set(message.id, uris);
    return !refused;
  }

  async function forget(id: unknown): Promise<void> {
    const uris = listens.get(id);
    if (!uris) return;
    listens.delete(id);
    const { subscriptions } = await open();
    const others = new Set([...listens.values()].flat());
    for (const uri of uris) if (!others.has(uri)) subscriptions.remove(uri);
  }

  // In order: a cancellation must not overtake the request that it cancels.
  let turn = Promise.resolve();
  const outer: Transport = {
    start() {
      wire.onmessage = (message, extra) => {
        turn = turn.then(async () => {
          if (await admits(message)) outer.onmessage?.(message, extra);
        }, outer.onerror);
      };
      wire.onclose = () => outer.onclose?.();
      wire.onerror = (error) => outer.onerror?.(error);
      return wire.start();
    },
    send: (message, options) => wire.send(message, options),
    close: () => wire.close(),
  };
  return outer;
}
