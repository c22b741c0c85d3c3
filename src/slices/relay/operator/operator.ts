import { asRecord, isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { piecesOf } from '../../../spine/operations/flow.ts';
import type { StreamItem } from '../../../spine/operations/handler.ts';
import { goneBy, isFlow, type PlainAnswer, type PlainRequest } from '../../../spine/operations/plain.ts';
import { RPC } from '../a2a/answers.ts';
import { observeResult, textOf } from '../a2a/observe.ts';
import { parseJson } from '../a2a/reply.ts';
import { createSseFrameReader } from '../a2a/sse-frames.ts';
import { relayErrors } from '../errors.ts';
import type { GateInput, SendInput } from '../schema.ts';
import type { RelayService } from '../slice.ts';
import { type LiveSpan, SPAN_KIND, SPAN_STATUS } from '../spans/live-span.ts';
import { redactValue } from '../spans/redact.ts';
import { deriveSessionId } from '../spans/session-id.ts';
import { writeTraceparent } from '../spans/trace-context.ts';

export interface ExchangeView {
  readonly task_id: string | null;
  readonly context_id: string | null;
  readonly state: string | null;
  readonly text: string;
  readonly trace_id: string;
  readonly result: Record<string, unknown>;
}

/** What a person or an agent does through the relay themselves: A2A like anyone else's, with an audit around it. */
export interface Operator {
  /** Puts into the journal what the gate before a verb decided; throws where that was no. */
  gate(principal: Principal, decided: GateInput): Promise<void>;
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

interface Verb {
  readonly verb: string;
  readonly target: string;
  readonly sessionId: string | undefined;
  /** What was given, by name, as far as it is a name or an id. */
  readonly names: Readonly<Record<string, string | undefined>>;
}

interface Admitted {
  end(outcome: 'ok' | 'failed' | 'left'): Promise<void>;
}

const SAFE_NAME = /^[\w.:@/#-]{1,256}$/;

export function createOperator(service: RelayService): Operator {
  const { deps, tracer, relay } = service;
  const { db, clock, hasher } = deps;

  function record(principal: Principal, type: string, payload: JsonObject): Promise<unknown> {
    return db.write((uow) =>
      deps.record(uow, { projectId: principal.defaultProject, actor: principal.actor, type, payload }),
    );
  }

  /**
   * One row before the call and one after it, whatever comes of it; a refusal is a row too. The span ends with the
   * second row: `admit` is followed by `end`, in any case.
   */
  async function admit(
    principal: Principal,
    { verb, target, sessionId, names }: Verb,
    span: LiveSpan,
  ): Promise<Admitted> {
    const began = clock.now();
    const given = Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined));
    const common = { verb, session_id: sessionId ?? null, trace_id: span.context.traceId };
    const odd = Object.values(names).find((name) => name !== undefined && !SAFE_NAME.test(name));
    if (odd !== undefined) {
      await record(principal, 'operator.denied', { ...common, rule: 'names', target: '' });
      throw relayErrors.verb_denied({ details: { name: odd.slice(0, 64) } });
    }
    const row = { ...common, target, arguments: redactValue(given) as JsonObject };
    await record(principal, 'operator.allowed', { ...row, rule: 'names' });
    return {
      async end(outcome) {
        const duration = Math.round((clock.now() - began) / 1000);
        tracer.end(principal.defaultProject, span);
        await record(principal, 'operator.ended', { ...common, target, outcome, duration_ms: duration });
      },
    };
  }

  async function audited<T>(
    principal: Principal,
    verb: Verb,
    span: LiveSpan,
    work: () => Promise<T>,
  ): Promise<T> {
    const admitted = await admit(principal, verb, span);
    try {
      const done = await work();
      await admitted.end('ok');
      return done;
    } catch (error) {
      span.fail((error as Error).message);
      await admitted.end('failed');
      throw error;
    }
  }

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
    return relay.handle({ request, agent, rest: '', principal });
  }

  function messageOf(principal: Principal, input: SendInput) {
    const sessionId =
      input.context ?? (input.session === undefined ? undefined : deriveSessionId(input.session, hasher));
    const speaker = input.as ?? principal.actor.id;
    const message = {
      kind: 'message',
      messageId: deps.ids(),
      role: 'user',
      parts: [{ kind: 'text', text: input.text }],
      ...(sessionId !== undefined && { contextId: sessionId }),
      ...(input.task !== undefined && { taskId: input.task }),
      metadata: { 'agent.id': speaker, 'agent.target': input.to },
    };
    return { sessionId, speaker, message };
  }

  function resultOf({ status, body }: PlainAnswer): LooseRecord {
    const said =
      typeof body === 'string'
        ? parseJson(body)
        : body instanceof Uint8Array
          ? parseJson(new TextDecoder().decode(body))
          : undefined;
    if (!isRecord(said) || !isRecord(said.result)) throw refusal(status, asRecord(said));
    return said.result;
  }

  function answerOf(answer: PlainAnswer, span: LiveSpan): ExchangeView {
    const result = resultOf(answer);
    const seen = observeResult(result);
    span.set({
      taskId: seen?.taskId,
      taskState: seen?.state,
      sessionId: seen?.contextId,
    });
    return {
      task_id: seen?.taskId ?? null,
      context_id: seen?.contextId ?? null,
      state: seen?.state ?? null,
      text: textOf(seen?.said.map(({ part }) => part) ?? []),
      trace_id: span.context.traceId,
      result,
    };
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

  const verbOf = (verb: string, input: SendInput, sessionId: string | undefined): Verb => ({
    verb,
    target: input.to,
    sessionId,
    names: { to: input.to, as: input.as, context: input.context, session: input.session, task: input.task },
  });

  function itemOf(result: unknown, seq: number, span: LiveSpan): StreamItem<Record<string, unknown>> {
    const seen = observeResult(result);
    span.set({
      taskId: seen?.taskId,
      taskState: seen?.state,
      sessionId: seen?.contextId,
    });
    return {
      id: String(seq),
      event: seen?.kind ?? 'event',
      data: {
        task_id: seen?.taskId ?? null,
        state: seen?.state ?? null,
        text: textOf(seen?.said.map(({ part }) => part) ?? []),
        trace_id: span.context.traceId,
      },
    };
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
      for (const { data } of reader.push(piece)) {
        const value: unknown = data === undefined ? undefined : JSON.parse(data);
        if (!isRecord(value)) continue;
        if (isRecord(value.error)) throw refusal(200, value);
        yield itemOf(value.result, seq++, span);
      }
    }
  }

  return {
    async gate(principal, { verb, decision, rule, reason, arguments: given = {}, commit }) {
      const type = decision === 'allow' ? 'operator.allowed' : 'operator.denied';
      const row = { verb, rule: `gate:${rule}`, arguments: redactValue(given) as JsonObject };
      await record(principal, type, { ...row, commit: commit ?? null });
      if (decision === 'deny')
        throw relayErrors.verb_denied({
          message: reason,
          next: 'Change .baton/verbs.json of the repository, or do what it asks for.',
          details: { rule },
        });
    },
    async send(principal, input, signal) {
      const { sessionId, speaker, message } = messageOf(principal, input);
      const span = clientSpan('a2a.client.send', principal, sessionId, input.to, 'message/send', speaker);
      const params = { message, configuration: { blocking: true } };
      return audited(principal, verbOf('send', input, sessionId), span, async () =>
        answerOf(await call(principal, input.to, 'message/send', params, span, signal), span),
      );
    },
    async *stream(principal, input, signal) {
      const { sessionId, speaker, message } = messageOf(principal, input);
      const span = clientSpan('a2a.client.stream', principal, sessionId, input.to, 'message/stream', speaker);
      const admitted = await admit(principal, verbOf('stream', input, sessionId), span);
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
      return audited(principal, verb, span, async () =>
        answerOf(await call(principal, '-', method, { id: taskId }, span, signal), span),
      );
    },
  };
}
