import {
  type AuthInfo,
  createMcpHandler,
  DEFAULT_MAX_REQUEST_BODY_SIZE,
  isInitializeRequest,
  type McpRequestContext,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { requireShallow } from '../../kernel/json/nesting.ts';
import { readJson } from '../../kernel/json/reader.ts';
import { asBatonError } from '../../spine/dispatch/dispatch.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import { IDLE_SECONDS, MOST_VALUES, readUpTo } from '../../spine/operations/body.ts';
import type { Handlers } from '../../spine/operations/handler.ts';
import { here, type McpDeps, sentenceOf } from './call.ts';
import type { Caller } from './caller.ts';
import type { mcpOperations } from './operations.ts';
import { createHttpSessions, type HttpSessions } from './resources/http-sessions.ts';
import { createListen, LISTEN, type ListenMessage } from './resources/listen.ts';
import { createMcpServer } from './server.ts';
import { createSharedServer } from './shared-server.ts';
import type { Listing } from './tools.ts';

const LIMITS = { maxBytes: DEFAULT_MAX_REQUEST_BODY_SIZE, idleSeconds: IDLE_SECONDS };
const SESSION_HEADER = 'mcp-session-id';
const SESSION_NOT_FOUND = -32001;

/** Who makes a request, and in which session of the 2025 revisions: travels beside it. */
interface Exchange {
  readonly caller: Caller;
  readonly sessionId: string | undefined;
}

/** MCP on a route of the server: who calls was found out before, and travels beside the request. */
export function createMcpHandlers(services: McpDeps): Handlers<typeof mcpOperations> {
  const sessions = createHttpSessions(services);
  const listen = createListen(services);
  const log = (error: unknown) => services.log(error, { requestId: '', operation: 'mcp.http' });
  const serving = (listing: Listing) => {
    const serve = (era: McpRequestContext['era']) => serverFor(services, sessions, era, listing);
    return {
      handler: createMcpHandler(({ era }) => serve(era), { onerror: log }),
      shared: createSharedServer(() => serve('legacy'), log),
    };
  };
  const own = serving(services.listing ?? 'core');
  const whole = serving('all');

  return {
    'mcp.http': async (request, call) => {
      const { handler, shared } = new URL(request.url).searchParams.get('tools') === 'all' ? whole : own;
      const sessionId = request.headers.get(SESSION_HEADER) ?? undefined;
      if (sessionId !== undefined && request.method !== 'POST') {
        const caller = callerOf(services, request, call.principal);
        return ofSession(sessions, request.method, sessionId, caller, call.signal);
      }
      const body = await bodyOf(request);
      const caller = callerOf(services, request, await call.standing());
      const authInfo = authInfoOf({ caller, sessionId });
      if (body === undefined) return handler.fetch(request, { authInfo });
      if ('text' in body) return handler.fetch(again(request, body.text), { authInfo });
      const { message } = body;
      const method = request.headers.get('mcp-method');
      if (method === LISTEN) return listen(caller, until(call.signal, request), message as ListenMessage);
      const answer = method === null ? shared(request, message, authInfo) : undefined;
      if (answer) return answer;
      const response = await handler.fetch(request, { authInfo, parsedBody: message });
      const begins = sessionId === undefined && method === null && isInitializeRequest(message);
      if (begins && response.ok) response.headers.set(SESSION_HEADER, sessions.newId(caller));
      return response;
    },
  };
}

function serverFor(
  services: McpDeps,
  sessions: HttpSessions,
  era: McpRequestContext['era'],
  listing: Listing,
) {
  return createMcpServer({
    ...here(services, listing),
    principalOf: (context) => exchangeOf(context).caller.principal,
    connectionOf: (context) => connectionOf(exchangeOf(context)),
    ...(era === 'legacy' && {
      subscriptions: (context: ServerContext) => {
        const { caller, sessionId } = exchangeOf(context);
        return sessions.subscriptions(sessionId, caller);
      },
    }),
  });
}

const LONGEST_SESSION_ID = 100;

/** The session of the 2025 revisions; later ones have none, and a credential is all that tells their callers apart. */
function connectionOf({ caller, sessionId }: Exchange): string {
  const { kind, id } = caller.principal.credential;
  return sessionId !== undefined && sessionId.length <= LONGEST_SESSION_ID ? sessionId : `${kind}:${id}`;
}

function authInfoOf(exchange: Exchange): AuthInfo {
  return { token: '', clientId: exchange.caller.principal.actor.id, scopes: [], extra: { exchange } };
}

function exchangeOf({ http }: ServerContext): Exchange {
  return http?.authInfo?.extra?.exchange as Exchange;
}

/** What outlives a request asks its headers again; a certificate or a signature lasts as long as its request. */
function callerOf(services: McpDeps, request: Request, principal: Principal): Caller {
  const { kind } = principal.credential;
  if (kind === 'mtls' || kind === 'signature') return { principal, now: async () => principal };
  return {
    principal,
    now() {
      const header = (name: string) => request.headers.get(name) ?? undefined;
      return services.authenticate({
        authorization: header('authorization'),
        apiKey: header('x-baton-key') ?? header('x-api-key'),
        cookie: header('cookie'),
        resource: `${new URL(request.url).origin}/mcp`,
        safe: true,
      });
    },
  };
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

/** The text where it is no JSON; undefined where it is too long, or none: the SDK says so, and can read the request. */
async function bodyOf(request: Request): Promise<{ message: unknown } | { text: string } | undefined> {
  if (request.method !== 'POST') return undefined;
  const text = await textOf(request);
  if (text === undefined) return undefined;
  requireShallow(text);
  if (text.length > LONG_TEXT) requireFewValues(text);
  try {
    return { message: JSON.parse(text) as unknown };
  } catch {
    return { text };
  }
}

/** A text of up to this length has few enough. */
const LONG_TEXT = 2 * MOST_VALUES;

/** That it is no JSON, the SDK says; where ours stops reading for any other reason, the values behind that were not counted. */
function requireFewValues(text: string): void {
  try {
    readJson(text, { maxValues: MOST_VALUES, lenient: true });
  } catch (thrown) {
    if (asBatonError(thrown).code !== 'invalid_json') throw thrown;
  }
}

/** A length that is declared is kept to by the server's parser: then no stream has to be made of the body. */
async function textOf(request: Request): Promise<string | undefined> {
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    return Number(declared) <= DEFAULT_MAX_REQUEST_BODY_SIZE ? request.text() : undefined;
  }
  const body = await readUpTo(request.clone(), LIMITS);
  return body && new TextDecoder().decode(body);
}

/** The same request, to be read once more. */
function again({ url, method, headers, signal }: Request, body: string): Request {
  return new Request(url, { method, headers, signal, body });
}

/** The same request, without its body, over when the server stops too. */
function until(signal: AbortSignal, { url, method, headers }: Request): Request {
  return new Request(url, { method, headers, signal });
}
