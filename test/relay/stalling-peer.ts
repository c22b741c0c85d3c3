/** A peer that begins and does not go on, each in the way that real ones do. */
import { createServer } from 'node:http';
import { closeServer, listenOn } from './sdk-peer.ts';

export type Stall = 'never' | 'half-answer' | 'silent-stream' | 'wrong-version';

export interface StallingPeer {
  readonly url: string;
  /** How many requests are held open. */
  readonly held: number;
  close(): Promise<void>;
}

export async function startStallingPeer(): Promise<StallingPeer> {
  let held = 0;
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(404).end();
      return;
    }
    let body = '';
    for await (const piece of request) body += piece;
    const { id, params } = JSON.parse(body);
    held += 1;
    response.on('close', () => {
      held -= 1;
    });
    switch (params.message.parts[0].text as Stall) {
      case 'half-answer':
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
        response.write('{"jsonrpc":"2.0","id":7,"result":{"kind":"task"');
        setTimeout(() => request.socket.destroy(), 20);
        return;
      case 'silent-stream':
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(
          `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { kind: 'task', id: 't', contextId: params.message.contextId, status: { state: 'working' } } })}\n\n`,
        );
        return;
      case 'wrong-version':
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({
            jsonrpc: '2.0',
            id,
            error: { code: -32009, message: 'Only 1.0 is spoken here.' },
          }),
        );
        return;
      case 'never':
        return;
    }
  });
  const url = await listenOn(server);
  return {
    url,
    get held() {
      return held;
    },
    close: () => closeServer(server),
  };
}
