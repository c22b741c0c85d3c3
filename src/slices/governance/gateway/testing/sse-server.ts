import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server';

/** For tests: a server over the HTTP and SSE transport of 2024, which the SDK serves no more. */
export async function serveOverSse(create: () => Server): Promise<{ url: string; close(): void }> {
  const sessions = new Map<string, Transport>();
  const http = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
    if (incoming.method === 'GET') {
      const id = String(sessions.size + 1);
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      outgoing.write(`event: endpoint\ndata: /message?session=${id}\n\n`);
      const transport: Transport = {
        start: async () => undefined,
        close: async () => void outgoing.end(),
        send: async (message) => void outgoing.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
      };
      sessions.set(id, transport);
      await create().connect(transport);
      return;
    }
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const message = JSON.parse(Buffer.concat(pieces).toString()) as JSONRPCMessage;
    outgoing.writeHead(202).end();
    sessions.get(url.searchParams.get('session') ?? '')?.onmessage?.(message);
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`,
    close() {
      http.closeAllConnections();
      http.close();
    },
  };
}
