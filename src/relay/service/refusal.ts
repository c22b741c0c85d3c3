import type { Actor } from '../../identity/principal.ts';
import type { PlainAnswer } from '../../operations/plain.ts';
import { ATTR } from '../rules/attribute-registry.ts';
import { errorResponse, RPC, relayError } from './answers.ts';
import type { ExchangeFacts } from './exchange-trace.ts';
import { SPAN_KIND } from './live-span.ts';
import type { A2aRequest } from './read-request.ts';
import type { RelayContext } from './relay-context.ts';
import type { StartOptions } from './tracer.ts';

export interface Refusal {
  readonly reason: string;
  readonly failureClass: 'topology_violation' | 'governance_refused';
}

/** A message that is not forwarded: told to its caller, traced, and in the journal. */
export function refuse(
  { tracer, ledger }: RelayContext,
  facts: ExchangeFacts,
  parent: StartOptions,
  request: A2aRequest,
  actor: Actor | undefined,
  { reason, failureClass }: Refusal,
): PlainAnswer {
  const code = RPC.topology;
  const span = tracer.start('a2a.relay.reject', SPAN_KIND.server, parent);
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
    [ATTR.method]: request.wireMethod,
    [ATTR.peerTarget]: facts.target,
    [ATTR.peerSenderRole]: facts.senderRole,
    [ATTR.peerTargetRole]: facts.targetRole,
    [ATTR.spanKind]: 'AGENT',
    [ATTR.relayMode]: 'reject',
    [ATTR.rejectReason]: reason,
    [ATTR.failureClass]: failureClass,
    [ATTR.rpcErrorCode]: code,
    [ATTR.rpcErrorMessage]: reason,
  });
  span.fail(reason);
  tracer.endTogether(facts.projectId, [span], (uow) =>
    ledger(uow, {
      projectId: facts.projectId,
      actor: actor ?? { id: 'relay', type: 'script' },
      contextId: facts.sessionId,
      type: 'peer.refused',
      payload: {
        peer_id: facts.target,
        sender: facts.sender,
        failure_class: failureClass,
        trace_id: span.context.traceId,
      },
    }),
  );
  return errorResponse(request, relayError(code, reason, failureClass));
}
