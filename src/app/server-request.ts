import type { IncomingMessage } from 'node:http';
import { buildRequest } from '../../packages/client/src/request.ts';
import type { CallableOperation } from '../spine/operations/flat-input.ts';

export interface ServerRequests {
  /** Rejects if the server does not respond. */
  send(
    operation: CallableOperation,
    flat: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<IncomingMessage>;
  close(): void;
}

/**
 * Calls a running server with Node's own client: `fetch` would add a fifth of a second to every command, for loading
 * it and for ending the process afterwards.
 */
export async function requestsTo(url: string, token: string | undefined): Promise<ServerRequests> {
  const { Agent, request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  // Without TLS, another connection is cheaper than what it takes to keep one.
  const agent = new Agent({ keepAlive: url.startsWith('https:') });
  const base = url.replace(/\/$/, '');
  return {
    send(operation, flat, signal) {
      const { method, target, headers, body } = buildRequest(operation, flat);
      return new Promise((resolve, reject) => {
        const outgoing = request(`${base}${target}`, {
          method,
          agent,
          headers: {
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(signal && { signal }),
        });
        outgoing.once('response', resolve).once('error', reject);
        outgoing.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

export async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of answer.setEncoding('utf8')) text += piece;
  return text;
}
