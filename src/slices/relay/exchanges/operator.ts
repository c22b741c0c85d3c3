import { asRecord, isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { requireVoice } from '../../../spine/identity/voice.ts';
import { piecesOf } from '../../../spine/operations/flow.ts';
import type { StreamItem } from '../../../spine/operations/handler.ts';
import { goneBy, isFlow, type PlainAnswer, type PlainRequest } from '../../../spine/operations/plain.ts';
import { observeResult, textOf } from '../a2a/observe.ts';
import { parseJson, RPC } from '../a2a/reply.ts';
import { createSseFrameReader } from '../a2a/sse-frames.ts';
import { relayErrors } from '../errors.ts';
import type { RelayDeps } from '../ports.ts';
import type { ExchangeView, SendInput } from '../schema.ts';
import { type LiveSpan, SPAN_KIND, SPAN_STATUS } from '../spans/live-span.ts';
import { deriveSessionId } from '../spans/session-id.ts';
import { writeTraceparent } from '../spans/trace-context.ts';
import type { Tracer } from '../spans/tracer.ts';
import type { Audit, AuditedVerb } from './audit.ts';
import type { A2aEndpoint } from './endpoint.ts';

/** What a person or an agent does through the relay themselves: A2A like anyone else's, with an audit around it. */
export interface Operator {
  send(principal: Principal, input: SendInput, signal: AbortSignal): Promise<ExchangeView>;
  stream(
    principal: Principal,
    input: SendInput,
    signal: AbortSignal,
  ): AsyncIterable<StreamItem<Record<string, unknown>>>;
  task(
    principal: Principal,
    method: 'tasks/get' | 'tasks/cancel',
    taskId: string,
    signal: AbortSignal,
  ): Promise<ExchangeView>;
}

export interface OperatorDeps extends Pick<RelayDeps, 'hasher' | 'ids'> {
  readonly endpoint: A2aEndpoint;
  readonly audit: Audit;
  readonly tracer: Tracer;
}

export function createOperator({ endpoint, audit, tracer, hasher, ids }: OperatorDeps): Operator {
  function clientSpan(
    name: string,
    principal: Principal,
    sessionId: string | undefined,
    target: string,
    method: string,
    speaker: string,
  ): LiveSpan {
    const span = tracer.start(name, SPAN_KIND.client);
    span.status = { code: SPAN_STATUS.ok };
    return span.set({
      agentId: speaker,
      agentName: speaker,
      agentRole: principal.actor.type === 'human' ? 'orchestrator' : 'worker',
      sessionId: sessionId ?? '',
      userId: principal.actor.id,
      graphNodeId: speaker,
      taskId: '',
      taskState: '',
      method: method,
      peerTarget: target,
      peerSenderRole: '',
      peerTargetRole: '',
      peerAgentId: target,
      spanKind: 'AGENT',
      rpcSystem: 'jsonrpc',
      rpcService: 'a2a',
      rpcMethod: method,
    });
  }

  function call(
    principal: Principal,
    agent: string,
    method: string,
    params: object,
    span: LiveSpan,
    signal: AbortSignal,
  ): Promise<PlainAnswer> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: span.context.spanId, method, params });
    const request: PlainRequest = {
      method: 'POST',
      origin: 'http://relay.invalid',
      target: `/a2a/${encodeURIComponent(agent)}`,
      params: { agent },
      headers: { 'content-type': 'application/json', traceparent: writeTraceparent(span.context) },
      bytes: async () => new TextEncoder().encode(body),
      onGone: goneBy(signal),
    };
    return endpoint.handle({ request, agent, rest: '', principal });
  }

  function messageOf(principal: Principal, input: SendInput) {
    const sessionId =
      input.context ?? (input.session === undefined ? undefined : deriveSessionId(input.session, hasher));
    const speaker = input.as ?? principal.actor.id;
    requireVoice(principal, speaker, '/as');
    const message = {
      kind: 'message',
      messageId: ids(),
      role: 'user',
      parts: [{ kind: 'text', text: input.text }],
      ...(sessionId !== undefined && { contextId: sessionId }),
      ...(input.task !== undefined && { taskId: input.task }),
      metadata: { 'agent.id': speaker, 'agent.target': input.to },
    };
    return { sessionId, speaker, message };
  }

  function resultOf({ status, body }: PlainAnswer): LooseRecord {
    const value =
      typeof body === 'string'
        ? parseJson(body)
        : body instanceof Uint8Array
          ? parseJson(new TextDecoder().decode(body))
          : undefined;
    const { result } = asRecord(value);
    if (!isRecord(result)) throw refusal(status, asRecord(value));
    return result;
  }

  /** What a result says, noted in the span as well. */
  function summaryOf(result: unknown, span: LiveSpan) {
    const seen = observeResult(result);
    span.set({ taskId: seen?.taskId, taskState: seen?.state, sessionId: seen?.contextId });
    return {
      kind: seen?.kind,
      contextId: seen?.contextId ?? null,
      summary: {
        task_id: seen?.taskId ?? null,
        state: seen?.state ?? null,
        text: textOf(seen?.parts.map(({ part }) => part) ?? []),
        trace_id: span.context.traceId,
      },
    };
  }

  function viewOf(answer: PlainAnswer, span: LiveSpan): ExchangeView {
    const result = resultOf(answer);
    const { contextId, summary } = summaryOf(result, span);
    return { ...summary, context_id: contextId, result };
  }

  function refusal(status: number, body: LooseRecord) {
    const error = asRecord(body.error);
    const message = typeof error.message === 'string' ? error.message : `The relay answered ${status}.`;
    const fault = { message, details: { error } };
    if (error.code === RPC.taskNotFound) return relayErrors.task_not_known(fault);
    return error.code === RPC.peer || error.code === undefined
      ? relayErrors.exchange_failed(fault)
      : relayErrors.exchange_refused(fault);
  }

  const verbOf = (verb: string, input: SendInput, sessionId: string | undefined): AuditedVerb => ({
    verb,
    target: input.to,
    sessionId,
    names: { to: input.to, as: input.as, context: input.context, session: input.session, task: input.task },
  });

  function itemOf(result: unknown, seq: number, span: LiveSpan): StreamItem<Record<string, unknown>> {
    const { kind, summary } = summaryOf(result, span);
    return { id: String(seq), event: kind ?? 'event', data: summary };
  }

  /** A peer that does not stream answers all at once: that is a stream of one event. */
  async function* eventsOf(
    answer: PlainAnswer,
    span: LiveSpan,
  ): AsyncGenerator<StreamItem<Record<string, unknown>>> {
    const { body } = answer;
    if (!answer.headers['content-type']?.startsWith('text/event-stream')) {
      yield itemOf(resultOf(answer), 0, span);
      return;
    }
    const events = isFlow(body) ? piecesOf(body) : [body as Uint8Array];
    const reader = createSseFrameReader();
    let seq = 0;
    for await (const piece of events) {
      for (const frame of reader.push(piece)) {
        const { data } = frame.read();
        const value = data === undefined ? undefined : parseJson(data);
        if (!isRecord(value)) continue;
        if (isRecord(value.error)) throw refusal(200, value);
        yield itemOf(value.result, seq++, span);
      }
    }
  }

  return {
    async send(principal, input, signal) {
      const { sessionId, speaker, message } = messageOf(principal, input);
      const span = clientSpan('a2a.client.send', principal, sessionId, input.to, 'message/send', speaker);
      const params = { message, configuration: { blocking: true } };
      return audit.around(principal, verbOf('send', input, sessionId), span, async () =>
        viewOf(await call(principal, input.to, 'message/send', params, span, signal), span),
      );
    },
    async *stream(principal, input, signal) {
      const { sessionId, speaker, message } = messageOf(principal, input);
      const span = clientSpan('a2a.client.stream', principal, sessionId, input.to, 'message/stream', speaker);
      const admitted = await audit.admit(principal, verbOf('stream', input, sessionId), span);
      let outcome: 'ok' | 'failed' | 'left' = 'left';
      try {
        yield* eventsOf(await call(principal, input.to, 'message/stream', { message }, span, signal), span);
        outcome = 'ok';
      } catch (error) {
        outcome = 'failed';
        span.fail((error as Error).message);
        throw error;
      } finally {
        await admitted.end(outcome);
      }
    },
    async task(principal, method, taskId, signal) {
      const span = clientSpan('a2a.client.recv', principal, undefined, '', method, principal.actor.id);
      span.set({ taskId: taskId });
      const verb = { verb: method, target: taskId, sessionId: undefined, names: { task: taskId } };
      return audit.around(principal, verb, span, async () =>
        viewOf(await call(principal, '-', method, { id: taskId }, span, signal), span),
      );
    },
  };
}
