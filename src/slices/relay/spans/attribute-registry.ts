/**
 * Every attribute that the relay writes: the one place to add or change one. The constants below, the JSON Schema, the
 * semantic-convention file and the documentation are made from it.
 */

import { TASK_STATES } from '../a2a/task-state.ts';
import { FAILURE_CLASSES } from '../peers/failure.ts';

export type AttributeProfile = 'o2r' | 'a2a' | 'genai';

export interface AttributeSpec {
  readonly key: string;
  readonly type: 'string' | 'int' | 'boolean' | 'string[]';
  /** Where it is demanded: on every `a2a.*` span, on those that failed, or nowhere. */
  readonly level: 'required' | 'required_on_error' | 'recommended' | 'optional';
  readonly profile: AttributeProfile;
  readonly note: string;
  readonly values?: readonly string[];
  readonly example?: string | number | boolean;
}

const o2r = (
  key: string,
  type: AttributeSpec['type'],
  level: AttributeSpec['level'],
  note: string,
  values?: readonly string[],
): AttributeSpec => ({ key, type, level, profile: 'o2r', note, ...(values && { values }) });
const a2a = (key: string, type: AttributeSpec['type'], note: string): AttributeSpec => ({
  key,
  type,
  level: 'optional',
  profile: 'a2a',
  note,
});
const genai = (key: string, note: string): AttributeSpec => ({
  key,
  type: 'string',
  level: 'optional',
  profile: 'genai',
  note,
});

export const ATTRIBUTES = {
  agentId: o2r('agent.id', 'string', 'required', 'The acting agent; `relay` on spans of the relay itself.'),
  agentName: o2r('agent.name', 'string', 'required', 'Its name, from its card; `o2r` for the relay.'),
  agentRole: o2r(
    'agent.role',
    'string',
    'required',
    'relay, orchestrator, planner, validator, worker, deployer, or a role of the user.',
  ),
  agentSpecialization: o2r(
    'agent.specialization',
    'string',
    'optional',
    'A narrower role; the relay never looks at it.',
  ),
  sessionId: o2r(
    'session.id',
    'string',
    'required',
    'Groups many traces: the A2A contextId, a derived id, or a channel id. Never made by the relay.',
  ),
  sessionSource: o2r('o2r.session.source', 'string', 'optional', 'Where session.id came from.', [
    'message',
    'peer',
    'task',
    'channel',
    'none',
  ]),
  userId: o2r('user.id', 'string', 'recommended', 'The sender.'),
  graphNodeId: o2r(
    'graph.node.id',
    'string',
    'required',
    'The node of the agent graph that this span belongs to.',
  ),
  graphNodeParentId: o2r(
    'graph.node.parent_id',
    'string',
    'recommended',
    'The agent that handed over; absent where a burst begins.',
  ),
  graphNodeName: o2r('graph.node.name', 'string', 'optional', 'How the node is shown.'),
  taskId: o2r('o2r.task.id', 'string', 'required', 'The task, as the peer named it; empty until it has one.'),
  taskState: o2r(
    'o2r.task.state',
    'string',
    'required',
    'The last state seen; empty where there is no task.',
    ['', ...TASK_STATES],
  ),
  method: o2r('o2r.method', 'string', 'required', 'The method in the spelling of 0.3.'),
  peerTarget: o2r(
    'o2r.peer.target',
    'string',
    'required',
    'The agent that is addressed; empty when unknown.',
  ),
  peerSenderRole: o2r(
    'o2r.peer.sender_role',
    'string',
    'required',
    'Role of the sender; empty when unknown.',
  ),
  peerTargetRole: o2r(
    'o2r.peer.target_role',
    'string',
    'required',
    'Role of the target; empty when unknown.',
  ),
  messageText: o2r('o2r.message.text', 'string', 'optional', 'The first text part that went in.'),
  replyText: o2r('o2r.message.reply_text', 'string', 'optional', 'The text that came out.'),
  replyDigest: o2r(
    'o2r.message.reply_digest',
    'string',
    'optional',
    'SHA-256 of all the text that came out, as the agent sent it; kept whatever is kept of the text.',
  ),
  requestVersion: o2r(
    'o2r.request.version',
    'string',
    'optional',
    'The version of A2A that the caller spoke.',
    ['0.3', '1.0'],
  ),
  requestBinding: o2r('o2r.request.binding', 'string', 'optional', 'The binding that the caller used.', [
    'JSONRPC',
    'HTTP+JSON',
    'GRPC',
  ]),
  requestRest: o2r(
    'o2r.request.rest',
    'string',
    'optional',
    'What the message and its request say besides parts and ids, as JSON: configuration, metadata.',
  ),
  requestDigest: o2r(
    'o2r.request.digest',
    'string',
    'optional',
    'SHA-256 of the message without its ids, as it was sent; absent where a span cannot hold all of it.',
  ),
  taskSource: o2r('o2r.task.source', 'string', 'optional', 'Who named the task, where the message did.', [
    'message',
  ]),
  replayId: o2r('o2r.replay.id', 'string', 'optional', 'The replay that sent the message again.'),
  replayOfTrace: o2r('o2r.replay.of_trace_id', 'string', 'optional', 'The trace of the original message.'),
  replayOfSpan: o2r('o2r.replay.of_span_id', 'string', 'optional', 'The span of the original message.'),
  relayMode: o2r('o2r.relay.mode', 'string', 'optional', 'What the relay did.', [
    'forward',
    'synthesize',
    'forward-stream',
    'synthesize-stream',
    'reject',
    'bridge',
    'bridge-stream',
    'replay',
  ]),
  rejectReason: o2r('o2r.relay.reject_reason', 'string', 'optional', 'Why a message was not forwarded.'),
  failureClass: o2r(
    'o2r.relay.failure_class',
    'string',
    'required_on_error',
    'Why the exchange failed.',
    FAILURE_CLASSES,
  ),
  recovered: o2r(
    'o2r.relay.recovered',
    'boolean',
    'optional',
    'The process ended while this span was open; it was closed by the next one.',
  ),
  clientGone: o2r(
    'o2r.relay.client_gone',
    'boolean',
    'optional',
    'The caller left before the answer was complete.',
  ),
  eventId: o2r(
    'o2r.journal.event_id',
    'string',
    'optional',
    'The journal event that records the decision behind this span.',
  ),
  journalSession: o2r(
    'o2r.journal.session_id',
    'string',
    'optional',
    'The Session in the journal that stands for session.id.',
  ),
  resolutionId: o2r(
    'o2r.governance.resolution_id',
    'string',
    'optional',
    'The CARP resolution that allowed this message.',
  ),
  chunkCount: o2r(
    'o2r.stream.chunks',
    'int',
    'optional',
    'How many pieces the stream had before they were joined to fit the budget.',
  ),
  firstEventMs: o2r(
    'o2r.stream.first_event_ms',
    'int',
    'optional',
    'Milliseconds from the request to the first event of the stream.',
  ),
  truncatedBytes: o2r('o2r.truncated.bytes', 'int', 'optional', 'How many bytes of attributes were cut off.'),
  channelId: o2r('o2r.channel.id', 'string', 'optional', 'The Agent Channel.'),
  channelEventKind: o2r('o2r.channel.event.kind', 'string', 'optional', 'The kind of a channel event.'),
  channelEventSeq: o2r('o2r.channel.event.seq', 'int', 'optional', 'Its number within the channel.'),
  spanKind: o2r('openinference.span.kind', 'string', 'required', 'How OpenInference classifies the span.', [
    'AGENT',
    'LLM',
    'TOOL',
    'CHAIN',
  ]),
  inputValue: o2r('input.value', 'string', 'optional', 'What went in, as JSON.'),
  inputMimeType: o2r('input.mime_type', 'string', 'optional', 'Media type of input.value.'),
  outputValue: o2r('output.value', 'string', 'optional', 'What came out, as JSON.'),
  outputMimeType: o2r('output.mime_type', 'string', 'optional', 'Media type of output.value.'),
  rpcSystem: o2r('rpc.system', 'string', 'optional', 'Always jsonrpc.'),
  rpcService: o2r('rpc.service', 'string', 'optional', 'Always a2a.'),
  rpcMethod: o2r('rpc.method', 'string', 'optional', 'The method as it stood on the wire.'),
  rpcErrorCode: o2r('rpc.jsonrpc.error_code', 'int', 'optional', 'The JSON-RPC error code.'),
  rpcErrorMessage: o2r('rpc.jsonrpc.error_message', 'string', 'optional', 'The JSON-RPC error message.'),
  peerAgentId: o2r('peer.agent.id', 'string', 'optional', 'The peer at the other end of a forward.'),
  peerUrl: o2r('peer.url', 'string', 'optional', 'Its address, without credentials.'),
  httpStatus: o2r('http.response.status_code', 'int', 'optional', 'What the peer answered.'),
  httpStatusLegacy: o2r('http.status_code', 'int', 'optional', 'The same under its older name.'),
  a2aMethod: a2a('a2a.method.name', 'string', 'The method in the spelling of 1.0.'),
  a2aMessageId: a2a('a2a.message.id', 'string', 'The messageId.'),
  a2aReferences: a2a('a2a.message.reference_task_ids', 'string[]', 'Tasks that the message refers to.'),
  a2aTaskId: a2a('a2a.task.id', 'string', 'The task.'),
  a2aTaskState: a2a('a2a.task.state', 'string', 'Its state in the spelling of 1.0.'),
  a2aTenant: a2a('a2a.tenant', 'string', 'The tenant, where one is named.'),
  a2aVersion: a2a('a2a.protocol.version', 'string', 'The version that the peer was spoken to in.'),
  conversationId: genai('gen_ai.conversation.id', 'Equal to session.id.'),
  genAiAgentId: genai('gen_ai.agent.id', 'The agent that is invoked.'),
  genAiAgentName: genai('gen_ai.agent.name', 'Its name, from its card.'),
  genAiOperation: genai('gen_ai.operation.name', 'invoke_agent, only where a message is forwarded.'),
  errorType: genai('error.type', 'The failure class or the JSON-RPC code.'),
  serverAddress: genai('server.address', 'Host of the peer.'),
  serverPort: {
    key: 'server.port',
    type: 'int',
    level: 'optional',
    profile: 'genai',
    note: 'Port of the peer.',
  },
} as const satisfies Record<string, AttributeSpec>;

export type AttributeName = keyof typeof ATTRIBUTES;

/** `ATTR.agentId` is `agent.id`. */
export const ATTR = Object.fromEntries(Object.entries(ATTRIBUTES).map(([name, { key }]) => [name, key])) as {
  readonly [Name in AttributeName]: (typeof ATTRIBUTES)[Name]['key'];
};

export const PROFILE_OF: ReadonlyMap<string, AttributeProfile> = new Map(
  Object.values<AttributeSpec>(ATTRIBUTES).map(({ key, profile }) => [key, profile]),
);
