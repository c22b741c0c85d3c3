import { decodedPath } from '../../../kernel/decoded-path.ts';
import { asText } from '../../../kernel/json/loose.ts';
import { requireScope } from '../../../spine/identity/access.ts';
import { identityErrors } from '../../../spine/identity/errors.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { requireVoice } from '../../../spine/identity/voice.ts';
import { PlainAnswer, type PlainRequest, queryOf } from '../../../spine/operations/plain.ts';
import { type ObservedMessage, observeMessage } from '../a2a/observe.ts';
import { type A2aRequest, readBytes, readRestRequest, readRpcRequest } from '../a2a/read-request.ts';
import { errorResponse, ownRpcError, peerError, RPC } from '../a2a/reply.ts';
import { relayErrors } from '../errors.ts';
import { asksForCard, cardAnswer, extendedCard } from '../peers/card-answer.ts';
import type { PeerDirectory } from '../peers/directory.ts';
import { PeerFailure } from '../peers/failure.ts';
import { violatesStar } from '../peers/rules.ts';
import type { Peer } from '../peers/store.ts';
import type { RelayDeps } from '../ports.ts';
import { PUSH_PATH, type PushNotifications } from '../push/interpose.ts';
import { readTraceparent } from '../spans/trace-context.ts';
import type { StartOptions } from '../spans/tracer.ts';
import { replayedAnswer } from '../streams/replay.ts';
import type { Exchange, ExchangeDeps } from './exchange.ts';
import { forward } from './forward.ts';
import { type Refusal, refuse } from './refuse.ts';
import { synthesizedAnswer } from './synthesize.ts';
import { targetOf, taskNamed, unknownTargetAnswer } from './target.ts';
import { type ExchangeFacts, startExchange } from './trace.ts';

export interface Arrival {
  readonly request: PlainRequest;
  readonly agent: string;
  /** What stands after the agent in the path, still encoded, without a leading slash. */
  readonly rest: string;
  /** Who asks, where that was found out already. */
  readonly principal?: Principal;
}

export interface A2aEndpoint {
  handle(arrival: Arrival): Promise<PlainAnswer>;
  readonly open: number;
}

/** Names no agent: the message or its task does. */
export const BY_MESSAGE = '-';
/** Where clients look for a card beside `/a2a/{agent}`, which to them is a file in the folder `/a2a/`; and at the root. */
export const WELL_KNOWN = '.well-known';
/** The sender that nothing tells. */
const UNKNOWN = 'unknown';

export interface EndpointDeps
  extends ExchangeDeps,
    Pick<RelayDeps, 'ids' | 'defaultProject' | 'loopback' | 'authenticateKey' | 'resolve'> {
  readonly peers: PeerDirectory;
  readonly push: PushNotifications;
}

/** Takes what callers send to an agent, finds the peer that it is for, and has it forwarded, answered or refused. */
export function createA2aEndpoint(deps: EndpointDeps): A2aEndpoint {
  const { settings, clock, hasher, tasks, tracer, peers, push } = deps;
  const traceDeps = { tracer, clock, hasher, content: settings.content };
  let open = 0;

  async function whoAsks(request: PlainRequest, pathKey: string | undefined): Promise<Principal | undefined> {
    const key = request.headers['x-baton-key'] ?? pathKey;
    if (!key) return undefined;
    const principal = await deps.authenticateKey(key);
    requireScope(principal, 'relay:send');
    return principal;
  }

  function requireAccess(peer: Peer | undefined, principal: Principal | undefined): void {
    if (principal || (peer?.access === 'open' && deps.loopback)) return;
    throw identityErrors.unauthorized({ next: 'Send a key with the scope relay:send as X-Baton-Key.' });
  }

  function parentOf({ headers }: PlainRequest): StartOptions {
    const caller = readTraceparent(headers.traceparent ?? null);
    if (!caller || settings.tracePolicy === 'restart' || settings.tracePolicy === 'drop') return {};
    if (settings.tracePolicy === 'continue') return { parent: caller, traceState: headers.tracestate };
    return { links: [{ traceId: caller.traceId, spanId: caller.spanId, flags: caller.flags }] };
  }

  async function senderOf(
    message: ObservedMessage | undefined,
    principal: Principal | undefined,
    projectId: string,
  ): Promise<Sender> {
    const declared = asText(message?.metadata['agent.id']);
    // Without a credential the name is recorded, and makes nobody the peer of that name.
    if (!principal) return { sender: declared ?? UNKNOWN, senderPeer: undefined };
    const sender = declared ?? principal.actor.id;
    requireVoice(principal, sender, '/message/metadata/agent.id');
    return { sender, senderPeer: await peers.find(projectId, sender) };
  }

  async function synthesize(
    target: string,
    call: A2aRequest,
    request: PlainRequest,
    principal: Principal | undefined,
    projectId: string,
  ): Promise<PlainAnswer> {
    const message = observeMessage(call.params);
    const from = await senderOf(message, principal, projectId);
    const facts = factsOf(projectId, call, message, from, {
      target,
      targetRole: '',
      targetName: target,
      sessionId: message?.contextId,
      taskId: undefined,
    });
    return synthesizedAnswer({ ...traceDeps, ids: deps.ids }, facts, call, parentOf(request));
  }

  async function exchangeWith(
    peer: Peer,
    call: A2aRequest,
    { request, rest }: Addressed,
    bytes: Uint8Array | undefined,
    principal: Principal | undefined,
    projectId: string,
  ): Promise<PlainAnswer> {
    const message = observeMessage(call.params);
    const taskId = taskNamed(call.params, message);
    const owner = taskId === undefined ? undefined : await tasks.ownerOf(projectId, taskId);
    const described = await peers.describe(peer);
    if (described.card && described.interfaces.length === 0 && described.error)
      return errorResponse(call, peerError(new PeerFailure('version_not_supported', described.error)));
    const from = await senderOf(message, principal, projectId);
    const contextId = message?.contextId ?? owner?.context_id ?? undefined;
    const facts = factsOf(projectId, call, message, from, {
      target: peer.id,
      targetRole: peer.role ?? '',
      targetName: described.name,
      sessionId: contextId,
      taskId,
    });
    const parent = parentOf(request);
    const violation = settings.starEnforce ? starViolation(from.senderPeer?.role, peer.role) : undefined;
    const decision = violation ?? (isGoverned(peer) && message ? await govern(peer, facts, principal) : FREE);
    if ('failureClass' in decision) return refuse(deps, facts, parent, call, principal?.actor, decision);
    const trace = startExchange(traceDeps, facts, parent);
    if (decision.resolutionId) trace.task.set({ resolutionId: decision.resolutionId });
    const interposed = push.concerns(peer, call)
      ? await push.interpose({
          projectId,
          peer,
          call,
          bytes,
          origin: request.origin,
          taskId,
          contextId,
          parent: trace.task.context,
        })
      : undefined;
    if (interposed instanceof PlainAnswer) {
      trace.fail('unknown', 'The address for notifications is refused.');
      tracer.endTogether(projectId, trace.complete());
      return interposed;
    }
    const exchange: Exchange = {
      projectId,
      principal,
      caller: principal ? `${principal.credential.kind}:${principal.credential.id}` : 'open',
      peer,
      interfaces: described.interfaces,
      operation: call.operation,
      version: call.version,
      binding: call.binding,
      id: call.id,
      params: interposed?.params ?? call.params,
      message,
      ownerStored: owner?.peer_id === peer.id,
      method: request.method,
      rest: `${rest}${queryOf(request.target)}`,
      headers: request.headers,
      bytes: interposed?.bytes ?? bytes,
      revealed:
        call.operation === 'card'
          ? async (answer) => extendedCard(request, rest, call.version, answer)
          : interposed?.revealed,
      onGone: (listener) => request.onGone(listener),
    };
    const replayed = call.operation === 'subscribe' ? replayedAnswer(deps, exchange, trace) : undefined;
    return replayed ?? forward(deps, exchange, trace);
  }

  async function govern(
    peer: Peer,
    facts: ExchangeFacts,
    principal: Principal | undefined,
  ): Promise<Refusal | Admission> {
    if (!principal || !deps.resolve) {
      const reason = 'The peer is governed, and nothing here can allow the message.';
      return { reason, failureClass: 'governance_refused' };
    }
    const decision = await deps.resolve({
      projectId: facts.projectId,
      actor: principal.actor,
      peerId: peer.id,
      action: peer.governed_action,
      method: facts.wireMethod,
      contextId: facts.sessionId,
    });
    return decision.allowed
      ? { resolutionId: decision.resolutionId }
      : { reason: decision.reason, failureClass: 'governance_refused' };
  }

  async function take(given: Arrival): Promise<PlainAnswer> {
    const arrival = addressed(given);
    const { request, agent, rest } = arrival;
    if (agent === BY_MESSAGE && rest.startsWith(PUSH_PATH))
      return push.receive(request, rest.slice(PUSH_PATH.length));
    const principal = given.principal ?? (await whoAsks(request, arrival.pathKey));
    const projectId = principal?.defaultProject ?? deps.defaultProject;
    const version = request.headers['a2a-version'];
    if (agent === WELL_KNOWN) {
      const peer = await peers.unnamed(projectId, hostOf(request));
      if (!peer || !asksForCard(request.method, `${WELL_KNOWN}/${rest}`)) {
        requireAccess(undefined, principal);
        throw relayErrors.peer_not_found({ next: 'Name the agent: /a2a/NAME/.well-known/agent-card.json.' });
      }
      requireAccess(peer, principal);
      const base = `/a2a/${peer.id}`;
      return cardAnswer(await peers.describe(peer), { request, rest: `${WELL_KNOWN}/${rest}`, base }, hasher);
    }
    const bytesOf = () => readBytes(request, settings.maxBodyBytes);
    if (agent === BY_MESSAGE) {
      requireAccess(undefined, principal);
      const bytes = (await bytesOf()) ?? new Uint8Array();
      const call = readRpcRequest(bytes, version);
      if (call instanceof PlainAnswer) return call;
      const target = await targetOf({ peers, tasks }, projectId, call);
      if (target instanceof PlainAnswer) return target;
      const isUnnamed = 'unknownTarget' in target && target.unknownTarget === '' && !settings.synthesize;
      const peer = (isUnnamed ? await peers.unnamed(projectId, hostOf(request)) : undefined) ?? target;
      if ('unknownTarget' in peer)
        return settings.synthesize
          ? synthesize(peer.unknownTarget, call, request, principal, projectId)
          : unknownTargetAnswer(peer, call);
      return exchangeWith(peer, call, arrival, bytes, principal, projectId);
    }
    const peer = await peers.find(projectId, agent);
    requireAccess(peer, principal);
    if (!peer) throw relayErrors.peer_not_found({ details: { agent } });
    if (asksForCard(request.method, rest))
      return cardAnswer(await peers.describe(peer), { request, rest, base: arrival.base }, hasher);
    const bytes = await bytesOf();
    const call =
      rest === '' && request.method === 'POST'
        ? readRpcRequest(bytes ?? new Uint8Array(), version)
        : readRestRequest(request, rest, bytes);
    if (call instanceof PlainAnswer) return call;
    return exchangeWith(peer, call, arrival, bytes, principal, projectId);
  }

  return {
    get open() {
      return open;
    },
    async handle(arrival) {
      if (open >= settings.maxConcurrent) return overloaded();
      open += 1;
      try {
        const room = deps.deferred.room();
        if (room && !(await within(room, ROOM_SECONDS))) return overloaded();
        return await take(arrival);
      } finally {
        open -= 1;
      }
    },
  };
}

/** How long a request waits for the store to catch up. */
const ROOM_SECONDS = 10;

function overloaded(): PlainAnswer {
  return errorResponse(
    { binding: 'JSONRPC', version: '0.3', id: null },
    ownRpcError(RPC.peer, 'The relay has as much to do as it takes.', 'relay_overload'),
    503,
  );
}

/** Whether it comes about in time. */
function within(work: Promise<void>, seconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), seconds * 1000);
    void work.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** A message may go on: by whose decision, where it took one. */
interface Admission {
  readonly resolutionId: string | undefined;
}

const FREE: Admission = { resolutionId: undefined };

function isGoverned(peer: Peer): boolean {
  return peer.governed === true || peer.governed_action !== undefined;
}

function starViolation(from: string | undefined, to: string | undefined): Refusal | undefined {
  if (!violatesStar(from, to)) return undefined;
  const [sender, target] = [from, to].map((role) => role ?? 'an agent without a role');
  const reason = `${sender} may not speak to ${target}: only through the orchestrator.`;
  return { reason, failureClass: 'topology_violation' };
}

interface Sender {
  readonly sender: string;
  readonly senderPeer: Peer | undefined;
}

function factsOf(
  projectId: string,
  { operation, wireMethod }: A2aRequest,
  message: ObservedMessage | undefined,
  { sender, senderPeer }: Sender,
  to: Pick<ExchangeFacts, 'target' | 'targetRole' | 'targetName' | 'sessionId' | 'taskId'>,
): ExchangeFacts {
  return {
    projectId,
    operation,
    wireMethod,
    message,
    sender,
    senderKnown: sender !== UNKNOWN,
    senderRole: senderPeer?.role ?? '',
    target: to.target,
    targetRole: to.targetRole,
    targetName: to.targetName,
    sessionId: to.sessionId,
    sessionSource: message?.contextId ? 'message' : to.sessionId ? 'task' : 'none',
    taskId: to.taskId,
  };
}

function hostOf({ headers }: PlainRequest): string | undefined {
  return headers.host;
}

interface Addressed extends Pick<Arrival, 'request' | 'agent' | 'rest'> {
  /** The path by which the agent was asked for: callers are told to come back by it. */
  readonly base: string;
  readonly pathKey: string | undefined;
}

/** `/a2a/{agent}/…`, or `/a2a/~{key}/{agent}/…` for callers that can set no header. */
function addressed({ request, agent, rest }: Arrival): Addressed {
  if (!agent.startsWith('~')) return { request, agent, rest, base: `/a2a/${agent}`, pathKey: undefined };
  const pathKey = agent.slice(1);
  const [first = '', ...more] = rest.split('/');
  // A name that cannot be decoded is the name of nobody.
  const named = decodedPath(first) ?? first;
  return { request, agent: named, rest: more.join('/'), base: `/a2a/~${pathKey}/${named}`, pathKey };
}
