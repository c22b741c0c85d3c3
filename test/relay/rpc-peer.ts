/** An agent without a card that answers each JSON-RPC request as it is told to: for peers of odd shapes. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOn } from './sdk-peer.ts';

export interface RpcCall {
  readonly id: unknown;
  readonly text: string;
  readonly contextId: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The whole answer. */
  json(member: { readonly result: object } | { readonly error: object }): void;
  /** Begins a stream; each call of what it answers is an event. */
  events(): (result: object) => void;
}

export interface RpcPeer {
  readonly url: string;
  close(): Promise<void>;
}

export async function startRpcPeer(answer: (call: RpcCall) => void): Promise<RpcPeer> {
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(404).end();
      return;
    }
    let body = '';
    for await (const piece of request) body += piece;
    const { id, params } = JSON.parse(body);
    const rpc = (member: object) => JSON.stringify({ jsonrpc: '2.0', id, ...member });
    answer({
      id,
      text: params.message.parts[0].text,
      contextId: params.message.contextId,
      request,
      response,
      json(member) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(rpc(member));
      },
      events() {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        return (result) => void response.write(`data: ${rpc({ result })}\n\n`);
      },
    });
  });
  const url = await listenOn(server);
  return { url, close: () => closeServer(server) };
}
