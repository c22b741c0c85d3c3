/** A peer that does one thing wrong, each in the way that real ones do: by JSON-RPC 0.3 or by HTTP+JSON 1.0. */
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { taskTo10 } from '../../src/slices/relay/a2a/translate/task.ts';
import { closeServer, listenOn, sleep } from './sdk-peer.ts';

export type Fault =
  | 'reset'
  | 'json-404'
  | 'not-json'
  | 'slow'
  | 'half-stream'
  | 'cut-stream'
  | 'server-error'
  | 'needs-credential'
  | 'rpc-error';

/** An agent (`bad`, `dead`, or `hasty`: `bad` with a limit of a second), what is asked of it, and how that failure is called. */
export const UNANSWERED = [
  ['bad', 'reset', 'peer_disconnect'],
  ['bad', 'json-404', 'peer_404'],
  ['bad', 'not-json', 'peer_disconnect'],
  ['hasty', 'slow', 'timeout'],
  ['bad', 'server-error', 'peer_5xx'],
  ['dead', 'anything', 'peer_disconnect'],
] as const;

const TASK = { kind: 'task', id: 'task-1', contextId: 'ctx', status: { state: 'working' } };

export async function startMisbehavingPeer(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(404).end();
      return;
    }
    let body = '';
    for await (const piece of request) body += piece;
    const isRest = request.url !== '/';
    const { id, params, message = params?.message } = JSON.parse(body);
    const json = (status: number, value: unknown, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(value));
    };
    const frame = (value: typeof TASK) => {
      const event = isRest ? { task: taskTo10(value) } : { jsonrpc: '2.0', id, result: value };
      response.write(`data: ${JSON.stringify(event)}\n\n`);
    };
    switch (message.parts[0].text as Fault) {
      case 'reset':
        request.socket.resetAndDestroy();
        return;
      case 'json-404':
        return json(404, { message: 'no such page' });
      case 'not-json':
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end('<html>hello</html>');
        return;
      case 'slow':
        await sleep(3_000);
        return json(200, { jsonrpc: '2.0', id, result: TASK });
      case 'server-error':
        return json(503, { oops: true });
      case 'needs-credential':
        return json(401, { error: 'who are you' }, { 'www-authenticate': 'Bearer realm="peer"' });
      case 'rpc-error':
        return json(200, { jsonrpc: '2.0', id, error: { code: -32004, message: 'not here' } });
      case 'half-stream':
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        frame(TASK);
        response.end();
        return;
      case 'cut-stream':
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        frame(TASK);
        await sleep(50);
        request.socket.destroy();
        return;
    }
  });
  const url = await listenOn(server);
  return { url, close: () => closeServer(server) };
}

/** An address on which nobody listens. */
export async function deadAddress(): Promise<string> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
