/** An agent of A2A 0.3 that answers at once, records what came, and does what its test tells it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { closeServer, listenOn } from './sdk-peer.ts';

export interface RpcAgent {
  readonly url: string;
  /** Requests that were no card's, in order. */
  readonly seen: IncomingMessage[];
  card: object;
  /** Answers in place of the agent where it answers true. */
  instead: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;
  close(): Promise<void>;
}

export async function startRpcAgent(tls?: ServerOptions): Promise<RpcAgent> {
  const seen: IncomingMessage[] = [];
  const agent = {
    url: '',
    seen,
    card: { name: 'Agent', protocolVersion: '0.3.0', skills: [] } as object,
    instead: (() => false) as RpcAgent['instead'],
    close: () => closeServer(server),
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const json = (value: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.method === 'GET') return json({ url: agent.url, ...agent.card });
    let body = '';
    for await (const piece of request) body += piece;
    seen.push(request);
    if (await agent.instead(request, response)) return;
    const { id } = JSON.parse(body);
    const result = { kind: 'task', id: `t-${seen.length}`, contextId: 'c', status: { state: 'completed' } };
    json({ jsonrpc: '2.0', id, result });
  };
  const server = tls ? createTlsServer(tls, serve) : createServer(serve);
  const url = await listenOn(server);
  agent.url = tls ? url.replace('http:', 'https:') : url;
  return agent;
}
