import { randomUUID } from 'node:crypto';
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { subjectOf } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { GatewayConfig } from './config.ts';
import type { Gateway } from './gateway.ts';
import type { Wire } from './rpc.ts';

const SESSION_HEADER = 'mcp-session-id';
const MAX_CLIENTS = 32;
const IDLE_SECONDS = 1800;
const MAX_BODY = 4 * 1024 * 1024;

interface HttpClient {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly owner: string;
  open: number;
  lastUsed: number;
  end(): Promise<void>;
}

export interface GatewayOverHttp {
  /** Streamable HTTP for many clients: each is a session of its own, which only its credential may use. */
  handle(request: Request, principal: Principal): Promise<Response>;
  close(): Promise<void>;
}

export function gatewayOverHttp(gateway: Gateway, config: GatewayConfig): GatewayOverHttp {
  const { max_clients: most = MAX_CLIENTS, idle_seconds: idle = IDLE_SECONDS } = config;
  const clients = new Map<string, HttpClient>();
  const sweep = setInterval(
    () => {
      for (const client of clients.values()) {
        if (client.open === 0 && performance.now() - client.lastUsed > idle * 1000) void client.end();
      }
    },
    Math.min(60_000, idle * 500),
  );
  sweep.unref();

  async function begin(principal: Principal): Promise<HttpClient> {
    const id = randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const session = await gateway.connect(transport as Wire, principal, () => clients.delete(id));
    const client: HttpClient = {
      transport,
      owner: subjectOf(principal.actor),
      open: 0,
      lastUsed: performance.now(),
      end: () => session.close(),
    };
    clients.set(id, client);
    return client;
  }

  async function answer(client: HttpClient, request: Request, parsedBody?: unknown): Promise<Response> {
    client.open += 1;
    client.lastUsed = performance.now();
    const over = () => {
      client.open -= 1;
      client.lastUsed = performance.now();
    };
    try {
      const response = await client.transport.handleRequest(
        request,
        parsedBody === undefined ? undefined : { parsedBody },
      );
      if (!response.body) {
        over();
        return response;
      }
      return new Response(withEnd(response.body, over), response);
    } catch (error) {
      over();
      throw error;
    }
  }

  return {
    async handle(request, principal) {
      const id = request.headers.get(SESSION_HEADER);
      if (id !== null) {
        const client = clients.get(id);
        if (client?.owner !== subjectOf(principal.actor)) return refusal(404, -32001, 'Session not found');
        return answer(client, request);
      }
      if (request.method !== 'POST') return refusal(400, -32000, 'The header Mcp-Session-Id is missing');
      if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY)
        return refusal(413, -32600, 'Too large');
      let body: unknown;
      try {
        body = await request.json();
      } catch {
        return refusal(400, -32700, 'Parse error');
      }
      if (!isInitializeRequest(body)) return refusal(400, -32000, 'The first request must be initialize');
      if (clients.size >= most) return refusal(503, -32000, `${most} clients are connected; try again later`);
      const client = await begin(principal);
      const response = await answer(client, request, body);
      if (!response.ok) void client.end();
      return response;
    },
    async close() {
      clearInterval(sweep);
      await Promise.all([...clients.values()].map((client) => client.end()));
    },
  };
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}

/** The same stream; says when it is over, whoever ended it. */
function withEnd(stream: ReadableStream<Uint8Array>, over: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let told = false;
  const tell = () => {
    if (!told) over();
    told = true;
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (!done) return controller.enqueue(value);
        tell();
        controller.close();
      } catch (error) {
        tell();
        controller.error(error);
      }
    },
    cancel(reason) {
      tell();
      return reader.cancel(reason);
    },
  });
}
