import type { Clock } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { type A2aBinding, type A2aOperation, type A2aVersion, methodName } from '../a2a/methods.ts';
import { MESSAGE, type Observed, type ObservedMessage, type ObservedPart, textOf } from '../a2a/observe.ts';
import { sentMessage, textOfSent } from '../a2a/sent-message.ts';
import { isTerminal, statesBetween, type TaskState } from '../a2a/task-state.ts';
import { spell10 } from '../a2a/translate/task.ts';
import type { FailureClass } from '../peers/failure.ts';
import { ATTR } from '../spans/attribute-registry.ts';
import { type ContentPolicy, safeParts } from '../spans/content.ts';
import { type AttributeValues, LiveSpan, SPAN_KIND, SPAN_STATUS } from '../spans/live-span.ts';
import { redactValue } from '../spans/redact.ts';
import type { StartOptions, Tracer } from '../spans/tracer.ts';
import { createReplyLog } from './reply-log.ts';

export interface ExchangeFacts {
  readonly projectId: string;
  readonly operation: A2aOperation;
  readonly wireMethod: string;
  readonly version: A2aVersion;
  readonly binding: A2aBinding;
  readonly sender: string;
  readonly senderRole: string;
  readonly senderKnown: boolean;
  readonly target: string;
  readonly targetRole: string;
  readonly targetName: string;
  readonly message: ObservedMessage | undefined;
  readonly sessionId: string | undefined;
  readonly sessionSource: 'message' | 'task' | 'none';
  readonly taskId: string | undefined;
  /** Of a message that is sent again. */
  readonly replay: ReplayMark | undefined;
}

/** Which message is sent again, and by which replay. */
export interface ReplayMark {
  readonly replayId: string;
  readonly traceId: string;
  readonly spanId: string;
}

const NAMES: Partial<Record<A2aOperation, { name: string; kind: number }>> = {
  send: { name: 'a2a.task', kind: SPAN_KIND.server },
  stream: { name: 'a2a.task', kind: SPAN_KIND.server },
  cancel: { name: 'a2a.task.cancel', kind: SPAN_KIND.server },
};

export interface PeerAnswer {
  /** 0 where there was none. */
  readonly status: number;
  readonly version: A2aVersion;
  readonly url: URL;
  readonly mode: string;
}

/** What is known of the exchange's task by now. */
interface Standing {
  taskId: string | undefined;
  contextId: string | undefined;
  state: TaskState | undefined;
}

/** What a task's span has and its reply's has not. */
const OF_THE_REQUEST: ReadonlySet<string> = new Set([
  ATTR.inputValue,
  ATTR.inputMimeType,
  ATTR.messageText,
  ATTR.failureClass,
  ATTR.errorType,
  ATTR.chunkCount,
  ATTR.requestVersion,
  ATTR.requestBinding,
  ATTR.requestRest,
  ATTR.requestDigest,
  ATTR.taskSource,
]);

/** Of a longer message a span cannot hold all. */
const MOST_WHOLE_BYTES = 256 * 1024;
const NO_REST = JSON.stringify({ message: {}, request: {} });

/** One exchange as spans: unary is a stream of one event, so that both have the same shape. */
export interface ExchangeTrace {
  readonly task: LiveSpan;
  readonly forward: LiveSpan;
  readonly standing: Readonly<Standing>;
  replyText(): string;
  /** Writes down what was said, in so many bytes: costs time, so it comes after the request is on its way. */
  noteInput(size: number): void;
  observe(event: Observed): void;
  rpcError(code: number, message: string): void;
  fail(failureClass: FailureClass, message: string): void;
  peerAnswered(answer: PeerAnswer): void;
  callerLeft(): void;
  /** How the task's span will end, as far as it is known: what its caller is about to be told. */
  ending(): LiveSpan;
  replyDigest(): string;
  /** Answers the spans of the exchange, complete but for when they end. */
  complete(): LiveSpan[];
}

export interface TraceDeps {
  readonly tracer: Tracer;
  readonly clock: Clock;
  readonly hasher: Hasher;
  readonly content: ContentPolicy;
}

export function startExchange(deps: TraceDeps, facts: ExchangeFacts, parent: StartOptions): ExchangeTrace {
  const { tracer, clock, hasher, content } = deps;
  const { name, kind } = NAMES[facts.operation] ?? { name: 'a2a.client.recv', kind: SPAN_KIND.client };
  const isMessage = facts.operation === 'send' || facts.operation === 'stream';
  const began = clock.now();
  const task = tracer.start(name, kind, parent);
  const forward = tracer.start('a2a.relay.forward', SPAN_KIND.client, {
    parent: task.context,
    traceState: parent.traceState,
  });
  let common: AttributeValues | undefined;
  let answered: PeerAnswer | undefined;

  function commonAttributes(): AttributeValues {
    return {
      agentId: 'relay',
      agentName: 'o2r',
      agentRole: 'relay',
      sessionId: facts.sessionId ?? '',
      sessionSource: facts.sessionSource,
      conversationId: facts.sessionId,
      userId: facts.sender,
      taskId: facts.taskId ?? '',
      taskState: isMessage ? 'submitted' : '',
      method: methodName(facts.operation, '0.3'),
      a2aMethod: methodName(facts.operation, '1.0'),
      a2aMessageId: facts.message?.messageId,
      a2aReferences: facts.message?.references.length ? facts.message.references : undefined,
      peerTarget: facts.target,
      peerSenderRole: facts.senderRole,
      peerTargetRole: facts.targetRole,
      spanKind: 'AGENT',
      rpcSystem: 'jsonrpc',
      rpcService: 'a2a',
      rpcMethod: facts.wireMethod,
    };
  }

  /** Costs time and is no part of what goes to the peer, so it comes after the request is on its way. */
  function describeTask(): AttributeValues {
    if (common) return common;
    common = commonAttributes();
    task.set(common).set({
      graphNodeId: 'relay',
      graphNodeParentId: facts.senderKnown ? facts.sender : undefined,
      replayId: facts.replay?.replayId,
      replayOfTrace: facts.replay?.traceId,
      replayOfSpan: facts.replay?.spanId,
    });
    if (isMessage) {
      task.set({
        requestVersion: facts.version,
        requestBinding: facts.binding,
        taskSource: facts.message?.taskId === undefined ? undefined : 'message',
      });
    }
    return common;
  }

  /** Like `describeTask`, and nobody looks for it before the exchange is over. */
  function describeForward(shared: AttributeValues): void {
    forward.set(shared).set({
      graphNodeId: facts.target,
      graphNodeParentId: 'relay',
      graphNodeName: facts.targetName,
      peerAgentId: facts.target,
      genAiAgentId: facts.target,
      genAiAgentName: facts.targetName,
      genAiOperation: isMessage ? 'invoke_agent' : undefined,
    });
  }

  function describePeer(): void {
    if (!answered) return;
    const { status, version, url, mode } = answered;
    forward.set({
      httpStatus: status || undefined,
      httpStatusLegacy: status || undefined,
      peerUrl: `${url.origin}${url.pathname}`,
      serverAddress: url.hostname,
      serverPort: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
      a2aVersion: version,
      relayMode: mode,
    });
    task.set({ relayMode: mode, a2aVersion: version });
  }

  const showsReply = content.mode !== 'none' && !content.hideOutputs;
  const reply = createReplyLog(hasher, showsReply ? content.mode : undefined);
  const standing: Standing = {
    taskId: facts.taskId,
    contextId: facts.sessionId,
    state: isMessage ? 'submitted' : undefined,
  };
  let sawEvent = false;
  let failure: AttributeValues | undefined;

  function inputOf(message: ObservedMessage, size: number): AttributeValues {
    if (content.mode === 'none' || content.hideInputs) return {};
    const { parts, cut } = safeParts(message.parts, content.mode, hasher);
    task.cut += cut;
    const first = parts.find((part) => typeof part.text === 'string');
    return {
      ...(cut === 0 && size <= MOST_WHOLE_BYTES && wholeInput(message)),
      inputValue: JSON.stringify({ role: message.role, parts }),
      inputMimeType: 'application/json',
      ...(first && { messageText: String(first.text) }),
    };
  }

  /** What it takes to send the message again, and to know that it would be the same. */
  function wholeInput({ request, role }: ObservedMessage): AttributeValues {
    const sent = sentMessage(request, role);
    const rest = JSON.stringify(content.mode === 'full' ? sent.rest : redactValue(sent.rest));
    return {
      ...(rest !== NO_REST && { requestRest: rest }),
      requestDigest: hasher.hex(textOfSent(sent)),
    };
  }

  function moveTo(next: TaskState): void {
    if (standing.state === undefined) {
      standing.state = next;
      return;
    }
    const at = clock.now();
    for (const to of statesBetween(standing.state, next)) {
      task.event(at, 'o2r.task.state_change', {
        from: standing.state,
        to,
        ts: new Date(at / 1000).toISOString(),
      });
      standing.state = to;
    }
  }

  /** What stands in the spans of a reply that has parts. */
  function output(): AttributeValues {
    const replied = { replyDigest: reply.digest() };
    if (!showsReply) return replied;
    const parts = reply.shown();
    return {
      ...replied,
      outputValue: JSON.stringify({ role: 'agent', parts: merged(parts) }),
      outputMimeType: 'application/json',
      replyText: textOf(parts),
    };
  }

  function emitChunks(): void {
    const list = reply.chunks();
    const places = new Map([[MESSAGE, MESSAGE]]);
    /** An artifact by the order in which they came: its id is another one each time. */
    const placeOf = ({ source }: ObservedPart) => {
      const place = places.get(source) ?? `artifact ${places.size - 1}`;
      places.set(source, place);
      return place;
    };
    const safe = reply.shown();
    let from = 0;
    list.forEach((chunk, seq) => {
      const parts = safe.slice(from, from + chunk.parts.length);
      from += parts.length;
      task.event(chunk.at, 'a2a.message.stream_chunk', {
        seq,
        'message.role': 'agent',
        ...(showsReply && { parts: JSON.stringify(parts), text: textOf(parts) }),
        sources: JSON.stringify(shortened(chunk.parts.map(placeOf))),
        final: seq === list.length - 1,
      });
    });
    task.events.sort((a, b) => a.at - b.at);
    if (reply.pieces > 0) task.set({ chunkCount: reply.pieces });
  }

  function named(): AttributeValues {
    return {
      taskId: standing.taskId ?? '',
      a2aTaskId: standing.taskId,
      taskState: standing.state ?? '',
      a2aTaskState: standing.state && spell10(standing.state),
      sessionId: standing.contextId ?? '',
      conversationId: standing.contextId,
      sessionSource:
        facts.sessionSource !== 'none' ? facts.sessionSource : standing.contextId ? 'peer' : 'none',
    };
  }

  /** Says of the task's span, or of what stands for it, how it ended. */
  function conclude(span: LiveSpan): void {
    span.set(named());
    const { state } = standing;
    if (failure) return;
    if (state === undefined || (facts.operation === 'cancel' ? state === 'canceled' : state === 'completed'))
      span.status = { code: SPAN_STATUS.ok };
    else if (isMessage && isTerminal(state)) {
      span.fail(`The task ended as ${state}.`);
      span.set({ failureClass: 'task_failed', errorType: state });
    }
  }

  function replySpan(): LiveSpan | undefined {
    if (!isMessage || reply.count === 0) return undefined;
    const span = tracer.start('a2a.message.send', SPAN_KIND.internal, { parent: task.context });
    const said = output();
    for (const [key, value] of task.attributes) {
      if (!OF_THE_REQUEST.has(key)) span.attributes.set(key, value);
    }
    span.set(said).set({
      agentId: facts.target,
      agentName: facts.targetName,
      agentRole: facts.targetRole || 'worker',
      graphNodeId: facts.target,
      graphNodeParentId: 'relay',
      spanKind: 'LLM',
    });
    task.set(said);
    task.cut += reply.cut;
    span.cut += reply.cut;
    span.status = { code: SPAN_STATUS.ok };
    return span;
  }

  function failBy(said: AttributeValues, message: string): void {
    failure = said;
    for (const span of [task, forward]) {
      span.set(said);
      span.fail(message);
    }
  }

  return {
    task,
    forward,
    standing,
    replyText: reply.text,
    replyDigest: reply.digest,
    noteInput(size) {
      describeTask();
      if (facts.message) task.set(inputOf(facts.message, size));
    },
    observe(event) {
      if (!sawEvent) {
        sawEvent = true;
        task.set({ firstEventMs: Math.round((clock.now() - began) / 1000) });
      }
      standing.taskId = event.taskId ?? standing.taskId;
      standing.contextId = standing.contextId ?? event.contextId;
      if (event.state) moveTo(event.state);
      // A message instead of a task is the whole answer.
      if (event.kind === 'message' && isMessage) moveTo('completed');
      if (isMessage) reply.add(clock.now(), event.parts);
    },
    rpcError(code, message) {
      failBy(
        {
          rpcErrorCode: code,
          rpcErrorMessage: message,
          failureClass: 'peer_jsonrpc_error',
          errorType: String(code),
        },
        message,
      );
      if (isMessage) moveTo('failed');
    },
    fail(failureClass, message) {
      failBy({ failureClass, errorType: failureClass }, message);
      if (isMessage && (standing.state === undefined || !isTerminal(standing.state))) moveTo('failed');
    },
    peerAnswered(given) {
      answered = given;
    },
    callerLeft() {
      task.set({ clientGone: true });
      task.event(clock.now(), 'o2r.client.disconnect', {});
    },
    ending() {
      const ending = new LiveSpan(task.start);
      ending.events.push(...task.events);
      ending.status = task.status;
      if (failure) ending.set(failure);
      if (answered) ending.set({ relayMode: answered.mode, a2aVersion: answered.version });
      if (isMessage && reply.count > 0) ending.set(output());
      ending.cut = task.cut + reply.cut;
      conclude(ending);
      return ending;
    },
    complete() {
      describeForward(describeTask());
      describePeer();
      emitChunks();
      forward.set(named());
      conclude(task);
      const said = replySpan();
      return said ? [said, forward, task] : [forward, task];
    },
  };
}

/** Without what only says again that all that follows is of the same source. */
function shortened(sources: readonly string[]): readonly string[] {
  let length = sources.length;
  while (length > 1 && sources[length - 1] === sources[length - 2]) length -= 1;
  return sources.slice(0, length);
}

/** Pieces of one text that came one by one are one part again. */
function merged(parts: readonly LooseRecord[]): LooseRecord[] {
  const whole: LooseRecord[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (last && typeof last.text === 'string' && typeof part.text === 'string')
      whole[whole.length - 1] = { ...last, text: last.text + part.text };
    else whole.push(part);
  }
  return whole;
}
