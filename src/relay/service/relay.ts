import { requireScope } from '../../identity/access.ts';
import { identityErrors } from '../../identity/errors.ts';
import type { Principal } from '../../identity/principal.ts';
import { BatonError } from '../../kernel/error.ts';
import { toPlain } from '../../kernel/json/plain.ts';
import { readJsonBytes } from '../../kernel/json/reader.ts';
import { rewriteCard } from '../a2a/card-rewrite.ts';
import { isObj, type Obj, text } from '../a2a/json.ts';
import {
  type A2aBinding,
  type A2aOperation,
  type A2aVersion,
  operationOf,
  readVersion,
} from '../a2a/methods.ts';
import { observeMessage, textOf } from '../a2a/observe.ts';
import { readRest } from '../a2a/rest.ts';
import { relayErrors } from '../errors.ts';
import type { RelayDeps } from '../ports.ts';
import { ATTR } from '../rules/attribute-registry.ts';
import { PeerFailure } from '../rules/failure.ts';
import { violatesStar } from '../rules/topology.ts';
import { readTraceparent } from '../rules/trace-context.ts';
import type { Peer } from '../store/peer-store.ts';
import { selectTaskOwner } from '../store/task-store.ts';
import { errorResponse, peerError, RPC, type RpcId, relayError } from './answers.ts';
import { type Exchange, forward, resumed } from './exchange.ts';
import { type ExchangeFacts, type ExchangeTrace, startExchange } from './exchange-trace.ts';
import { SPAN_KIND } from './live-span.ts';
import type { PeerDirectory } from './peers.ts';
import type { RelayContext } from './relay-context.ts';
import type { StartOptions } from './tracer.ts';

export interface Arrival {
  readonly request: Request;
  readonly agent: string;
  /** What stands after the agent in the path, still encoded, without a leading slash. */
  readonly rest: string;
  readonly signal: AbortSignal;
  /** Who asks, where that was found out already. */
  readonly principal?: Principal;
}

export interface Relay {
  handle(arrival: Arrival): Promise<Response>;
  readonly open: number;
}

interface Parsed {
  readonly operation: A2aOperation;
  readonly version: A2aVersion;
  readonly binding: A2aBinding;
  readonly id: RpcId;
  readonly params: Obj;
  readonly wireMethod: string;
}

const CARDS = /^\.well-known\/agent(-card)?(\.signed)?\.json$/;

export function createRelay(deps: RelayDeps, context: RelayContext, peers: PeerDirectory): Relay {
  const { settings, clock, hasher, db } = deps;
  let open = 0;

  async function whoAsks(request: Request, pathKey: string | undefined): Promise<Principal | undefined> {
    const key = request.headers.get('x-baton-key') ?? pathKey;
    if (!key) return undefined;
    const principal = await deps.authenticateKey(key);
    requireScope(principal, 'relay:send');
    return principal;
  }

  function requireAccess(peer: Peer | undefined, principal: Principal | undefined): void {
    if (principal || (peer?.access === 'open' && deps.loopback)) return;
    throw identityErrors.unauthorized({ next: 'Send a key with the scope relay:send as X-Baton-Key.' });
  }

  async function card(peer: Peer, rest: string, base: string, request: Request): Promise<Response> {
    const { card: found, error } = await peers.describe(peer);
    if (!found)
      return errorResponse(
        'HTTP+JSON',
        null,
        peerError(new PeerFailure('peer_disconnect', error ?? 'The peer has no card.')),
      );
    const shown = rest.includes('.signed.')
      ? found
      : rewriteCard(found, { publicUrl: publicUrl(request, base), bridge: true });
    const body = JSON.stringify(shown);
    const etag = `"${hasher.hex(body).slice(0, 32)}"`;
    const headers = {
      'content-type': 'application/json',
      // What a card says depends on the route and the credential in it.
      'cache-control': 'private, max-age=60',
      vary: 'A2A-Version, X-Baton-Key, Host, X-Forwarded-Host, X-Forwarded-Proto',
      etag,
    };
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
    return new Response(body, { status: 200, headers });
  }

  function parentOf(request: Request): StartOptions {
    const caller = readTraceparent(request.headers.get('traceparent'));
    const traceState = request.headers.get('tracestate') ?? undefined;
    if (!caller || settings.tracePolicy === 'restart' || settings.tracePolicy === 'drop') return {};
    if (settings.tracePolicy === 'continue') return { parent: caller, traceState };
    return { links: [{ traceId: caller.traceId, spanId: caller.spanId, flags: caller.flags }] };
  }

  async function taskOwner(projectId: string, params: Obj, message: ReturnType<typeof observeMessage>) {
    const taskId = message?.taskId ?? text(params.id) ?? text(params.taskId);
    if (!taskId) return { taskId, owner: undefined };
    return { taskId, owner: await db.read((reader) => selectTaskOwner(reader, projectId, taskId)) };
  }

  async function exchangeWith(
    peerOf: (parsed: Parsed) => Promise<Peer | Response>,
    parsed: Parsed,
    arrival: Arrival,
    bytes: Uint8Array | undefined,
    principal: Principal | undefined,
    projectId: string,
  ): Promise<Response> {
    const message = observeMessage(parsed.params);
    const peer = await peerOf(parsed);
    if (peer instanceof Response) return peer;
    const { taskId, owner } = await taskOwner(projectId, parsed.params, message);
    const described = await peers.describe(peer);
    const declared = text(message?.metadata['agent.id']);
    const sender = declared ?? principal?.actor.id ?? 'unknown';
    const senderPeer = declared ? await peers.find(projectId, declared) : undefined;
    const contextId = message?.contextId ?? owner?.context_id ?? undefined;
    const facts: ExchangeFacts = {
      projectId,
      operation: parsed.operation,
      wireMethod: parsed.wireMethod,
      sender,
      senderRole: senderPeer?.role ?? '',
      senderKnown: sender !== 'unknown',
      target: peer.id,
      targetRole: peer.role ?? '',
      targetName: described.name,
      message,
      sessionId: contextId,
      sessionSource: message?.contextId ? 'message' : contextId ? 'task' : 'none',
      taskId,
    };
    const parent = parentOf(arrival.request);
    const reject = (
      reason: string,
      failureClass: 'topology_violation' | 'governance_refused',
      code: number,
    ) => refuse(facts, parent, { reason, failureClass, code }, parsed, principal);
    if (settings.starEnforce && violatesStar(senderPeer?.role, peer.role)) {
      return reject(
        `${senderPeer?.role ?? 'an agent without a role'} may not speak to ${peer.role ?? 'an agent without a role'}: only through the orchestrator.`,
        'topology_violation',
        RPC.topology,
      );
    }
    let resolutionId: string | undefined;
    if (peer.governed && message) {
      const decision =
        principal && deps.resolve
          ? await deps.resolve({
              principal,
              sender,
              target: peer.id,
              method: parsed.wireMethod,
              text: textOf(message.parts),
              sessionId: contextId,
            })
          : {
              allowed: false as const,
              reason: 'The peer is governed, and nothing here can allow the message.',
            };
      if (!decision.allowed) return reject(decision.reason, 'governance_refused', RPC.topology);
      resolutionId = decision.resolutionId;
    }
    const trace = startExchange(
      { tracer: context.tracer, clock, hasher, content: settings.content },
      facts,
      parent,
    );
    trace.task.set({ [ATTR.resolutionId]: resolutionId });
    const exchange: Exchange = {
      projectId,
      principal,
      caller: principal ? `${principal.credential.kind}:${principal.credential.id}` : 'open',
      peer,
      interfaces: described.interfaces,
      operation: parsed.operation,
      version: parsed.version,
      binding: parsed.binding,
      id: parsed.id,
      params: parsed.params,
      message,
      method: arrival.request.method,
      rest: `${arrival.rest}${new URL(arrival.request.url).search}`,
      headers: arrival.request.headers,
      bytes,
      signal: arrival.signal,
    };
    if (parsed.operation === 'subscribe') {
      const replayed = resumed(context, exchange, trace);
      if (replayed) return endReplay(trace, projectId, replayed);
    }
    return forward(context, exchange, trace);
  }

  function endReplay(trace: ExchangeTrace, projectId: string, response: Response): Response {
    trace.end();
    context.tracer.end(projectId, trace.task);
    return response;
  }

  function refuse(
    facts: ExchangeFacts,
    parent: StartOptions,
    why: {
      readonly reason: string;
      readonly failureClass: 'topology_violation' | 'governance_refused';
      readonly code: number;
    },
    parsed: Parsed,
    principal: Principal | undefined,
  ): Response {
    const span = context.tracer.start('a2a.relay.reject', SPAN_KIND.server, parent);
    span.set({
      [ATTR.agentId]: 'relay',
      [ATTR.agentName]: 'o2r',
      [ATTR.agentRole]: 'relay',
      [ATTR.sessionId]: facts.sessionId ?? '',
      [ATTR.userId]: facts.sender,
      [ATTR.graphNodeId]: 'relay',
      [ATTR.graphNodeParentId]: facts.senderKnown ? facts.sender : undefined,
      [ATTR.taskId]: facts.taskId ?? '',
      [ATTR.taskState]: '',
      [ATTR.method]: parsed.wireMethod,
      [ATTR.peerTarget]: facts.target,
      [ATTR.peerSenderRole]: facts.senderRole,
      [ATTR.peerTargetRole]: facts.targetRole,
      [ATTR.spanKind]: 'AGENT',
      [ATTR.relayMode]: 'reject',
      [ATTR.rejectReason]: why.reason,
      [ATTR.failureClass]: why.failureClass,
      [ATTR.rpcErrorCode]: why.code,
      [ATTR.rpcErrorMessage]: why.reason,
    });
    span.fail(why.reason);
    context.tracer.end(facts.projectId, span);
    context.saveSoon((uow) =>
      deps.record(uow, {
        projectId: facts.projectId,
        actor: principal?.actor ?? { id: 'relay', type: 'script' },
        type: 'peer.refused',
        payload: {
          peer_id: facts.target,
          sender: facts.sender,
          failure_class: why.failureClass,
          trace_id: span.context.traceId,
        },
      }),
    );
    return errorResponse(parsed.binding, parsed.id, relayError(why.code, why.reason, why.failureClass));
  }

  function parseRpc(bytes: Uint8Array, header: string | null): Parsed | Response {
    let value: unknown;
    try {
      value = toPlain(readJsonBytes(bytes, { maxBytes: settings.maxBodyBytes }));
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      return errorResponse('JSONRPC', null, { code: RPC.parse, message: error.message });
    }
    const id =
      isObj(value) && (typeof value.id === 'string' || typeof value.id === 'number') ? value.id : null;
    if (!isObj(value) || value.jsonrpc !== '2.0' || typeof value.method !== 'string') {
      const message = Array.isArray(value)
        ? 'A2A has no batches: send one request at a time.'
        : 'This is no JSON-RPC 2.0 request.';
      return errorResponse('JSONRPC', id, { code: RPC.invalidRequest, message });
    }
    const known = operationOf(value.method);
    if (!known)
      return errorResponse('JSONRPC', id, {
        code: RPC.methodNotFound,
        message: `There is no method ${value.method}.`,
      });
    if (header !== null && header !== '' && !readVersion(header)) {
      return errorResponse(
        'JSONRPC',
        id,
        relayError(RPC.versionNotSupported, `A2A ${header} is not spoken here.`, 'version_not_supported'),
      );
    }
    return {
      ...known,
      binding: 'JSONRPC',
      id,
      params: isObj(value.params) ? value.params : {},
      wireMethod: value.method,
    };
  }

  function parseRest(arrival: Arrival, bytes: Uint8Array | undefined): Parsed | Response {
    const url = new URL(arrival.request.url);
    const found = readRest(arrival.request.method, arrival.rest, url.searchParams);
    if (!found)
      return errorResponse('HTTP+JSON', null, {
        code: RPC.methodNotFound,
        message: 'There is no such operation.',
      });
    let body: unknown = {};
    try {
      if (bytes && bytes.length > 0)
        body = toPlain(readJsonBytes(bytes, { maxBytes: settings.maxBodyBytes }));
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      return errorResponse('HTTP+JSON', null, { code: RPC.parse, message: error.message });
    }
    const params = { ...(isObj(body) ? body : {}), ...found.params };
    return {
      ...found,
      params,
      binding: 'HTTP+JSON',
      id: null,
      wireMethod: `${arrival.request.method} ${arrival.rest}`,
    };
  }

  async function bodyOf(request: Request): Promise<Uint8Array | undefined> {
    if (request.method === 'GET' || request.method === 'HEAD') return undefined;
    if (Number(request.headers.get('content-length') ?? 0) > settings.maxBodyBytes)
      throw relayErrors.message_too_large();
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > settings.maxBodyBytes) throw relayErrors.message_too_large();
    return bytes;
  }

  async function take(arrival: Arrival): Promise<Response> {
    const { request } = arrival;
    let { agent, rest } = arrival;
    let base = `/a2a/${agent}`;
    let pathKey: string | undefined;
    if (agent.startsWith('~')) {
      pathKey = agent.slice(1);
      const slash = rest.indexOf('/');
      agent = decodeURIComponent(slash < 0 ? rest : rest.slice(0, slash));
      rest = slash < 0 ? '' : rest.slice(slash + 1);
      base = `/a2a/~${pathKey}/${agent}`;
    }
    const principal = arrival.principal ?? (await whoAsks(request, pathKey));
    const projectId = principal?.defaultProject ?? deps.defaultProject;
    if (agent === '-') {
      if (!principal) requireAccess(undefined, principal);
      const bytes = (await bodyOf(request)) ?? new Uint8Array();
      const parsed = parseRpc(bytes, request.headers.get('a2a-version'));
      if (parsed instanceof Response) return parsed;
      return exchangeWith(
        (asked) => targetOf(projectId, asked),
        parsed,
        { ...arrival, rest },
        bytes,
        principal,
        projectId,
      );
    }
    const peer = await peers.find(projectId, agent);
    requireAccess(peer, principal);
    if (!peer) throw relayErrors.peer_not_found({ details: { agent } });
    if (CARDS.test(rest) && request.method === 'GET') return card(peer, rest, base, request);
    const bytes = await bodyOf(request);
    const parsed =
      rest === '' && request.method === 'POST'
        ? parseRpc(bytes ?? new Uint8Array(), request.headers.get('a2a-version'))
        : parseRest({ ...arrival, rest }, bytes);
    if (parsed instanceof Response) return parsed;
    return exchangeWith(async () => peer, parsed, { ...arrival, rest }, bytes, principal, projectId);
  }

  /** Routing by what the message says, or by whose task it is about. */
  async function targetOf(projectId: string, parsed: Parsed): Promise<Peer | Response> {
    const message = observeMessage(parsed.params);
    const named = text(message?.metadata['agent.target']);
    const { taskId, owner } = named
      ? { taskId: undefined, owner: undefined }
      : await taskOwner(projectId, parsed.params, message);
    const id = named ?? owner?.peer_id;
    const peer = id === undefined ? undefined : await peers.find(projectId, id);
    if (peer) return peer;
    if (!message && !taskId)
      return errorResponse(parsed.binding, parsed.id, {
        code: RPC.invalidParams,
        message: 'The request names no task.',
      });
    if (taskId)
      return errorResponse(parsed.binding, parsed.id, {
        code: RPC.taskNotFound,
        message: `No peer is known to own the task ${taskId}.`,
      });
    return errorResponse(
      parsed.binding,
      parsed.id,
      peerError(
        new PeerFailure(
          'peer_404',
          named
            ? `No peer ${named} is registered.`
            : 'The message names no target: set metadata["agent.target"].',
        ),
      ),
    );
  }

  return {
    get open() {
      return open;
    },
    async handle(arrival) {
      if (open >= settings.maxConcurrent) {
        return errorResponse(
          'JSONRPC',
          null,
          relayError(RPC.peer, 'The relay has as much to do as it takes.', 'relay_overload'),
          503,
        );
      }
      open += 1;
      try {
        return await take(arrival);
      } finally {
        open -= 1;
      }
    },
  };
}

function publicUrl(request: Request, base: string): string {
  const url = new URL(request.url);
  const host = request.headers.get('x-forwarded-host') ?? request.headers.get('host') ?? url.host;
  const scheme = request.headers.get('x-forwarded-proto') ?? url.protocol.replace(':', '');
  return `${scheme}://${host}${base}`;
}
