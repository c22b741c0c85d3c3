import { asText } from '../../../kernel/json/loose.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { requireVoice } from '../../../spine/identity/voice.ts';
import { isFlow, PlainAnswer, type PlainRequest, queryOf } from '../../../spine/operations/plain.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { type ObservedMessage, observeMessage } from '../a2a/observe.ts';
import type { A2aRequest } from '../a2a/read-request.ts';
import { errorResponse, peerError } from '../a2a/reply.ts';
import { extendedCard, type GrpcAt } from '../peers/card-answer.ts';
import type { PeerDirectory } from '../peers/directory.ts';
import { PeerFailure } from '../peers/failure.ts';
import type { PeerLimits } from '../peers/limits.ts';
import { isGoverned, violatesStar } from '../peers/rules.ts';
import type { Peer } from '../peers/store.ts';
import type { RelayDeps } from '../ports.ts';
import type { PushNotifications } from '../push/interpose.ts';
import { readTraceparent, type TraceContext } from '../spans/trace-context.ts';
import type { StartOptions } from '../spans/tracer.ts';
import { replayedAnswer } from '../streams/replay.ts';
import type { Exchange, ExchangeDeps } from './exchange.ts';
import { forward } from './forward.ts';
import { type Refusal, refuse, turnAway } from './refuse.ts';
import { synthesizedAnswer } from './synthesize.ts';
import { taskNamed } from './target.ts';
import { type ExchangeFacts, type ReplayMark, startExchange } from './trace.ts';

/** A request that was understood, and who sends it. */
export interface Asking {
  readonly call: A2aRequest;
  readonly request: PlainRequest;
  readonly principal: Principal | undefined;
  readonly projectId: string;
}

export interface Beginning extends Asking {
  readonly peer: Peer;
  /** What stands after the agent in the path, still encoded, without a leading slash. */
  readonly rest: string;
  readonly bytes: Uint8Array | undefined;
  /** Where the message is sent again: its new span stands below `parent`. */
  readonly replay?: ReplayMark & { readonly parent: TraceContext };
}

export interface Exchanges {
  /** Has a request forwarded to its peer, answered or refused. */
  begin(beginning: Beginning): Promise<PlainAnswer>;
  /** Answers for an agent that nobody registered. */
  synthesize(target: string, asking: Asking): Promise<PlainAnswer>;
}

export interface ExchangesDeps extends ExchangeDeps, Pick<RelayDeps, 'ids' | 'resolve'> {
  readonly peers: PeerDirectory;
  readonly limits: PeerLimits;
  readonly push: PushNotifications;
  readonly grpcAt: GrpcAt;
}

/** The sender that nothing tells. */
const UNKNOWN = 'unknown';

export function createExchanges(deps: ExchangesDeps): Exchanges {
  const { settings, clock, hasher, tasks, tracer, peers, limits, push } = deps;
  const traceDeps = { tracer, clock, hasher, content: settings.content };

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
    { call, request, principal, projectId }: Asking,
  ): Promise<PlainAnswer> {
    const message = observeMessage(call.params);
    const from = await senderOf(message, principal, projectId);
    const facts = factsOf(projectId, call, message, from, {
      target,
      targetRole: '',
      targetName: target,
      sessionId: message?.contextId,
      taskId: undefined,
      replay: undefined,
    });
    return synthesizedAnswer({ ...traceDeps, ids: deps.ids }, facts, call, parentOf(request));
  }

  async function begin({
    peer,
    call,
    request,
    rest,
    bytes,
    principal,
    projectId,
    replay,
  }: Beginning): Promise<PlainAnswer> {
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
      replay,
    });
    const parent = replay ? { parent: replay.parent } : parentOf(request);
    const caller = principal ? `${principal.credential.kind}:${principal.credential.id}` : 'open';
    const place = await limits.enter(peer, caller);
    if ('full' in place) return turnAway(traceDeps, facts, parent, call, place);
    const { leave } = place;
    let goesOn = false;
    try {
      const answer = await admitted();
      goesOn = isFlow(answer.body);
      return answer;
    } finally {
      // A stream is over when its recorder says so.
      if (!goesOn) leave();
    }

    async function admitted(): Promise<PlainAnswer> {
      const violation = settings.starEnforce ? starViolation(from.senderPeer?.role, peer.role) : undefined;
      const decision =
        violation ?? (isGoverned(peer) && message ? await govern(peer, facts, principal) : FREE);
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
        caller,
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
            ? async (answer) =>
                extendedCard({ request, rest, peerId: peer.id, grpcAt: deps.grpcAt }, call.version, answer)
            : interposed?.revealed,
        replay,
        recordDecision: decision.record,
        onGone: (listener) => request.onGone(listener),
        leave,
      };
      const replayed = call.operation === 'subscribe' ? replayedAnswer(deps, exchange, trace) : undefined;
      if (replayed) leave();
      return replayed ?? forward(deps, exchange, trace);
    }
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
      ? { resolutionId: decision.resolutionId, record: decision.record }
      : { reason: decision.reason, failureClass: 'governance_refused' };
  }

  return { begin, synthesize };
}

/** A message may go on: by whose decision, where it took one. */
interface Admission {
  readonly resolutionId: string | undefined;
  readonly record?: ((uow: UnitOfWork) => Promise<void>) | undefined;
}

const FREE: Admission = { resolutionId: undefined };

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
  { operation, wireMethod, version, binding }: A2aRequest,
  message: ObservedMessage | undefined,
  { sender, senderPeer }: Sender,
  to: Pick<ExchangeFacts, 'target' | 'targetRole' | 'targetName' | 'sessionId' | 'taskId' | 'replay'>,
): ExchangeFacts {
  return {
    projectId,
    operation,
    wireMethod,
    version,
    binding,
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
    replay: to.replay,
  };
}
