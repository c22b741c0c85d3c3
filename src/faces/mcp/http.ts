import {
  createMcpHandler,
  isInitializeRequest,
  type McpRequestContext,
  readRequestBody,
} from '@modelcontextprotocol/server';
import { asBatonError } from '../../spine/dispatch/dispatch.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import type { Handlers } from '../../spine/operations/handler.ts';
import type { Caller } from './caller.ts';
import type { mcpOperations } from './operations.ts';
import { createHttpSessions, type HttpSessions } from './resources/http-sessions.ts';
import { createListen, LISTEN, type ListenMessage } from './resources/listen.ts';
import { createMcpServer } from './server.ts';
import { type McpServices, sentenceOf } from './services.ts';

const SESSION_HEADER = 'mcp-session-id';
const SESSION_NOT_FOUND = -32001;

/** MCP on a route of the server: who calls was found out before, and travels beside the request. */
export function createMcpHandlers(services: McpServices): Handlers<typeof mcpOperations> {
  const sessions = createHttpSessions(services);
  const listen = createListen(services);
  const handler = createMcpHandler((context) => serverFor(services, sessions, context), {
    onerror: (error) => services.log(error, { requestId: '', operation: 'mcp.http' }),
  });
  return {
    'mcp.http': async (request, call) => {
      const caller = callerOf(services, request, call.principal);
      const sessionId = request.headers.get(SESSION_HEADER) ?? undefined;
      if (sessionId !== undefined && request.method !== 'POST') {
        return ofSession(sessions, request.method, sessionId, caller, call.signal);
      }
      const method = request.headers.get('mcp-method');
      if (method === LISTEN) {
        const message = (await bodyOf(request)) as ListenMessage | undefined;
        if (message) return listen(caller, until(call.signal, request), message);
      }
      const begins = sessionId === undefined && method === null && isInitializeRequest(await bodyOf(request));
      const response = await handler.fetch(request, {
        authInfo: {
          token: '',
          clientId: caller.principal.actor.id,
          scopes: [...caller.principal.scopes],
          extra: { caller },
        },
      });
      if (begins && response.ok) response.headers.set(SESSION_HEADER, sessions.newId(caller));
      return response;
    },
  };
}

function serverFor(services: McpServices, sessions: HttpSessions, context: McpRequestContext) {
  const caller = context.authInfo?.extra?.caller as Caller;
  const sessionId = context.requestInfo?.headers.get(SESSION_HEADER) ?? undefined;
  return createMcpServer(
    services,
    caller.principal,
    context.era === 'legacy' ? () => sessions.subscriptions(sessionId, caller) : undefined,
  );
}

/** What outlives a request asks its headers again; a certificate or a signature lasts as long as its request. */
function callerOf(services: McpServices, request: Request, principal: Principal): Caller {
  const { kind } = principal.credential;
  if (kind === 'mtls' || kind === 'signature') return { principal, now: async () => principal };
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const given = {
    authorization: header('authorization'),
    apiKey: header('x-baton-key') ?? header('x-api-key'),
    cookie: header('cookie'),
    safe: true,
  };
  return { principal, now: () => services.authenticate(given) };
}

function ofSession(
  sessions: HttpSessions,
  method: string,
  id: string,
  caller: Caller,
  signal: AbortSignal,
): Response {
  try {
    if (method === 'GET') return sessions.stream(id, caller, signal);
    if (method !== 'DELETE') return refusal(405, 'Method not allowed.');
    sessions.end(id, caller);
    return new Response(null, { status: 204 });
  } catch (thrown) {
    const error = asBatonError(thrown);
    return refusal(error.status, sentenceOf(error));
  }
}

function refusal(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: SESSION_NOT_FOUND, message } }, { status });
}

/** Undefined where it is no JSON: the SDK says so better. The request stays readable. */
async function bodyOf(request: Request): Promise<unknown> {
  if (request.method !== 'POST') return undefined;
  try {
    const body = await readRequestBody(request.clone());
    return body.tooLarge ? undefined : JSON.parse(body.text);
  } catch {
    return undefined;
  }
}

/** The same request, without its body, over when the server stops too. */
function until(signal: AbortSignal, { url, method, headers }: Request): Request {
  return new Request(url, { method, headers, signal });
}
