/** For tests: a server on loopback, and servers that are wrong on purpose. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseOrUndefined } from '../target.ts';

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

const changeResolve = (change: (body: Body) => Body): Fault => ({
  request: (path, body) => (path === '/v1/resolve' ? change(body) : body),
});

const changeEvents = (change: (event: Body) => Body): Fault => ({
  response: (path, _, status, body) =>
    path.startsWith('/v1/traces/') && Array.isArray(body) ? { status, body: body.map(change) } : undefined,
});

/** Each is a mistake that a server might make; the suite must catch every one. */
export const faults: Readonly<Record<string, Fault>> = {
  takes_any_version: { request: (_, body) => (body?.carp_version ? { ...body, carp_version: '1.0' } : body) },
  drops_unknown_members: changeResolve((body) => {
    if (typeof body !== 'object' || body === null) return body;
    const { priority, ...rest } = body;
    return rest;
  }),
  ignores_the_clock: changeResolve((body) =>
    /^\d{4}-.*[Z:]/.test(String(body?.timestamp)) ? { ...body, timestamp: new Date().toISOString() } : body,
  ),
  forgets_request_ids: changeResolve((body) =>
    /^[0-9a-f-]{36}$/.test(String(body?.request_id)) ? { ...body, request_id: crypto.randomUUID() } : body,
  ),
  allows_by_default: {
    response: (path, _, status, body) => {
      if (path !== '/v1/resolve' || status !== 200) return undefined;
      const freed = body.denied_actions.map(({ action_id }: Body) => ({
        action_id,
        name: '',
        description: '',
      }));
      const allowed_actions = [...body.allowed_actions, ...freed];
      const decision = { ...body.decision, type: 'allow' };
      return { status, body: { ...body, decision, allowed_actions, denied_actions: [] } };
    },
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
  hashes_otherwise: changeEvents((event) => ({ ...event, event_hash: `0${event.event_hash.slice(1)}` })),
  cuts_microseconds: changeEvents((event) => ({
    ...event,
    timestamp: event.timestamp.replace(/\d{3}Z$/, 'Z'),
  })),
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
    const sent = parseOrUndefined(text);
    const body = fault.request && sent !== undefined ? JSON.stringify(fault.request(pathname, sent)) : text;
    const headers = new Headers(request.headers);
    headers.delete('content-length');
    const { method } = request;
    const response = await right(new Request(request.url, { method, headers, ...(body !== '' && { body }) }));
    if (!fault.response) return response;
    const answered = await response.text();
    const wrong = fault.response(pathname, method, response.status, parseOrUndefined(answered));
    if (wrong) return Response.json(wrong.body, { status: wrong.status });
    return new Response(response.status === 204 ? null : answered, response);
  };
}
