import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

export type Handle = (request: Request) => Promise<Response>;

/** For tests: a handler of web requests on a free port of loopback. */
export async function listenOnLoopback(handle: Handle): Promise<{ url: string; close(): void }> {
  const http = createServer(getRequestListener(handle));
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    close() {
      http.closeAllConnections();
      http.close();
    },
  };
}

/** For tests: an MCP server with sessions over streamable HTTP. */
export function serveOverHttp(create: () => Server): Promise<{ url: string; close(): void }> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return listenOnLoopback(async (request) => {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known) return known.handleRequest(request);
    if (request.headers.has('mcp-session-id')) return new Response(null, { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await create().connect(transport);
    return transport.handleRequest(request);
  });
}
