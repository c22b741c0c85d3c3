/** For tests: a server over loopback, and one that is wrong on purpose. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type FetchLike = (request: Request) => Promise<Response> | Response;

export async function listen(handle: FetchLike): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: Object.entries(incoming.headers).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value] as [string, string]] : [],
      ),
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const response = await handle(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: faults reach into bodies of every shape
type Body = any;

interface Fault {
  readonly request?: (path: string, body: Body) => Body;
  readonly response?: (
    path: string,
    method: string,
    status: number,
    body: Body,
  ) => { status: number; body: Body } | undefined;
}

/** Each is a mistake that a server might make; the suite has to notice every one. */
export const faults: Readonly<Record<string, Fault>> = {
  takes_any_version: { request: (_, body) => (body?.carp_version ? { ...body, carp_version: '1.0' } : body) },
  drops_unknown_members: {
    request: (path, body) => {
      if (path !== '/v1/resolve' || typeof body !== 'object' || body === null) return body;
      const { priority, ...rest } = body;
      return rest;
    },
  },
  ignores_the_clock: {
    request: (path, body) =>
      path === '/v1/resolve' && /^\d{4}-.*[Z:]/.test(String(body?.timestamp))
        ? { ...body, timestamp: new Date().toISOString() }
        : body,
  },
  forgets_request_ids: {
    request: (path, body) =>
      path === '/v1/resolve' && /^[0-9a-f-]{36}$/.test(String(body?.request_id))
        ? { ...body, request_id: crypto.randomUUID() }
        : body,
  },
  allows_by_default: {
    response: (path, _, status, body) =>
      path === '/v1/resolve' && status === 200
        ? {
            status,
            body: {
              ...body,
              decision: { ...body.decision, type: 'allow' },
              allowed_actions: [
                ...body.allowed_actions,
                ...body.denied_actions.map((each: Body) => ({
                  action_id: each.action_id,
                  name: '',
                  description: '',
                })),
              ],
              denied_actions: [],
            },
          }
        : undefined,
  },
  says_success_to_denied_calls: {
    response: (path, _, status, body) =>
      path === '/v1/execute' && status === 403
        ? { status: 200, body: { ...body, status: 'success', error: null } }
        : undefined,
  },
  loses_an_event: {
    response: (path, method, status, body) =>
      /^\/v1\/traces\/[^/]+$/.test(path) && method === 'GET' && Array.isArray(body) && body.length > 3
        ? { status, body: body.filter((_: Body, at: number) => at !== 2) }
        : undefined,
  },
  hashes_otherwise: {
    response: (path, _, status, body) =>
      path.startsWith('/v1/traces/') && Array.isArray(body)
        ? {
            status,
            body: body.map((event: Body) => ({ ...event, event_hash: `0${event.event_hash.slice(1)}` })),
          }
        : undefined,
  },
  cuts_microseconds: {
    response: (path, _, status, body) =>
      path.startsWith('/v1/traces/') && Array.isArray(body)
        ? {
            status,
            body: body.map((event: Body) => ({
              ...event,
              timestamp: event.timestamp.replace(/\d{3}Z$/, 'Z'),
            })),
          }
        : undefined,
  },
  answers_deletes_with_200: {
    response: (path, method, status) =>
      path.startsWith('/v1/sessions/') && method === 'DELETE' && status === 204
        ? { status: 200, body: {} }
        : undefined,
  },
  takes_any_manifest: {
    response: (path, method, status) =>
      path === '/v1/atlases' && method === 'POST' && status === 400 ? { status: 201, body: {} } : undefined,
  },
  asks_for_no_credential: {
    response: (_, __, status) => (status === 401 ? { status: 200, body: [] } : undefined),
  },
};

/** The server behind it, with one mistake. */
export function wrongServer(right: FetchLike, fault: Fault): FetchLike {
  return async (request) => {
    const { pathname } = new URL(request.url);
    const text = await request.text();
    const changed =
      fault.request && text !== '' ? changedText(text, (body) => fault.request?.(pathname, body)) : text;
    const headers = new Headers(request.headers);
    headers.delete('content-length');
    const forwarded = new Request(request.url, {
      method: request.method,
      headers,
      ...(changed !== '' && { body: changed }),
    });
    const response = await right(forwarded);
    if (!fault.response) return response;
    const answered = await response.text();
    const wrong = fault.response(pathname, request.method, response.status, parsed(answered));
    const bodyless = response.status === 204;
    if (!wrong)
      return new Response(bodyless ? null : answered, { status: response.status, headers: response.headers });
    return new Response(JSON.stringify(wrong.body), {
      status: wrong.status,
      headers: { 'content-type': 'application/json' },
    });
  };
}

function changedText(text: string, change: (body: Body) => Body): string {
  const body = parsed(text);
  return body === undefined ? text : JSON.stringify(change(body));
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
