import {
  type AuthInfo,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server';

/** What needs nothing of the connection that it comes by. */
const STATELESS: ReadonlySet<string> = new Set([
  'ping',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

/** What takes longer is given up when its caller leaves: to watch for that costs more than a short call. */
const UNWATCHED_MS = 20;

/** Undefined where the request is not one that this can answer. */
export type SharedServer = (
  request: Request,
  message: unknown,
  authInfo: AuthInfo,
) => Promise<Response> | undefined;

/**
 * Answers requests of the 2025 revisions that stand alone with one server for all of them. The SDK makes a server, a
 * transport and a stream for each: four times the cost of the operation behind it (`npm run bench -- mcp`).
 */
export function createSharedServer(create: () => Server, onerror: (error: unknown) => void): SharedServer {
  const waiting = new Map<number, (answer: JSONRPCMessage | undefined) => void>();
  let lastId = 0;
  let transport: Transport | undefined;

  /** Made with the first request: the table of operations is not complete before. */
  function connected(): Transport {
    if (transport) return transport;
    transport = {
      start: async () => undefined,
      close: async () => undefined,
      async send(message) {
        if ('id' in message) waiting.get(message.id as number)?.(message);
      },
    };
    const server = create();
    server.onerror = onerror;
    void server.connect(transport).catch(onerror);
    return transport;
  }

  async function answer(request: Request, message: JSONRPCRequest, authInfo: AuthInfo): Promise<Response> {
    const { onmessage } = connected();
    lastId += 1;
    // The callers' ids are not unique among them.
    const id = lastId;
    const answered = new Promise<JSONRPCMessage | undefined>((resolve) => {
      waiting.set(id, resolve);
      onmessage?.({ ...message, id }, { authInfo, request });
    });
    const watch = setTimeout(() => {
      const gone = () => {
        onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
        waiting.get(id)?.(undefined);
      };
      if (request.signal.aborted) gone();
      else request.signal.addEventListener('abort', gone, { once: true });
    }, UNWATCHED_MS);
    const result = await answered;
    clearTimeout(watch);
    waiting.delete(id);
    if (!result) return new Response(null, { status: 499 });
    return new Response(JSON.stringify({ ...result, id: message.id }), {
      headers: { 'content-type': 'application/json' },
    });
  }

  return (request, message, authInfo) =>
    isStateless(message) && isOf2025(request, message) ? answer(request, message, authInfo) : undefined;
}

/** Whether its parameters fit, the server says. */
function isStateless(message: unknown): message is JSONRPCRequest {
  // The server's own judgement: what it does not take for a request it never answers, and the caller would wait for ever.
  return isJSONRPCRequest(message) && STATELESS.has(message.method);
}

/** Later revisions name themselves in `_meta`; whatever is odd about a request is for the SDK to say. */
function isOf2025({ headers }: Request, { params }: JSONRPCRequest): boolean {
  const version = headers.get('mcp-protocol-version');
  const accept = headers.get('accept') ?? '';
  return (
    (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) &&
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    /^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '') &&
    !Object.keys(params?._meta ?? {}).some((name) => name.startsWith('io.modelcontextprotocol/'))
  );
}
