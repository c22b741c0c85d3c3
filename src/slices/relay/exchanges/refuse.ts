import type { Actor } from '../../../spine/identity/principal.ts';
import { PlainAnswer } from '../../../spine/operations/plain.ts';
import type { A2aRequest } from '../a2a/read-request.ts';
import { errorResponse, ownRpcError, RPC } from '../a2a/reply.ts';
import { SPAN_KIND } from '../spans/live-span.ts';
import type { StartOptions } from '../spans/tracer.ts';
import type { ExchangeDeps } from './exchange.ts';
import { type ExchangeFacts, startExchange } from './trace.ts';

export interface Refusal {
  readonly reason: string;
  readonly failureClass: 'topology_violation' | 'governance_refused';
}

/** A message that is not forwarded: told to its caller, traced, and in the journal. */
export function refuse(
  { tracer, recordEvent }: ExchangeDeps,
  facts: ExchangeFacts,
  parent: StartOptions,
  request: A2aRequest,
  actor: Actor | undefined,
  { reason, failureClass }: Refusal,
): PlainAnswer {
  const code = RPC.topology;
  const span = tracer.start('a2a.relay.reject', SPAN_KIND.server, parent);
  span.set({
    agentId: 'relay',
    agentName: 'o2r',
    agentRole: 'relay',
    sessionId: facts.sessionId ?? '',
    userId: facts.sender,
    graphNodeId: 'relay',
    graphNodeParentId: facts.senderKnown ? facts.sender : undefined,
    taskId: facts.taskId ?? '',
    taskState: '',
    method: request.wireMethod,
    peerTarget: facts.target,
    peerSenderRole: facts.senderRole,
    peerTargetRole: facts.targetRole,
    spanKind: 'AGENT',
    relayMode: 'reject',
    rejectReason: reason,
    failureClass: failureClass,
    rpcErrorCode: code,
    rpcErrorMessage: reason,
  });
  span.fail(reason);
  const event = {
    projectId: facts.projectId,
    actor: actor ?? { id: 'relay', type: 'script' as const },
    contextId: facts.sessionId,
    type: 'peer.refused',
    payload: {
      peer_id: facts.target,
      sender: facts.sender,
      failure_class: failureClass,
      trace_id: span.context.traceId,
    },
  };
  tracer.answered(facts.projectId, span, span, { event });
  tracer.endTogether(facts.projectId, [span], (uow) => recordEvent(uow, event));
  return errorResponse(request, ownRpcError(code, reason, failureClass));
}

export interface NoPlace {
  readonly full: string;
  readonly retryAfterSeconds: number;
}

/** A message for which there is no place now: told when to come again, and traced; no event, since it may be sent at once again. */
export function turnAway(
  deps: Parameters<typeof startExchange>[0],
  facts: ExchangeFacts,
  parent: StartOptions,
  request: A2aRequest,
  { full, retryAfterSeconds }: NoPlace,
): PlainAnswer {
  const trace = startExchange(deps, facts, parent);
  trace.fail('relay_overload', full);
  deps.tracer.endTogether(facts.projectId, trace.complete());
  const { headers, body } = errorResponse(request, ownRpcError(RPC.peer, full, 'relay_overload'));
  return new PlainAnswer(429, { ...headers, 'retry-after': String(retryAfterSeconds) }, body);
}
