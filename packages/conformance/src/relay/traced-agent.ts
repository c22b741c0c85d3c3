import type { Clock, Micros, Random } from '../../../../src/kernel/clock.ts';
import { toHex } from '../../../../src/kernel/hex.ts';
import type { NewSpan, SpanSink } from './span-sink.ts';

export interface AgentDeps {
  readonly id: string;
  readonly role: string;
  /** Where the relay takes requests for an agent. */
  readonly addressOf: (agent: string) => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sink: SpanSink;
  readonly clock: Clock;
  readonly random: Random;
}

export interface TraceIds {
  readonly traceId: string;
  readonly spanId: string;
}

export interface OutgoingMessage {
  readonly to: string;
  readonly text: string;
  readonly sessionId: string;
  readonly method?: 'message/send' | 'message/stream';
  /** The span around this message; without one, a new trace begins. */
  readonly within?: TraceIds | undefined;
  /** False to hide the trace from the relay, which then begins its own. */
  readonly propagate?: boolean;
}

export interface SentMessage {
  readonly response: Response;
  readonly trace: TraceIds;
  /** Ends the sender's span and exports it. */
  end(task: { readonly id?: string; readonly state?: string }): Promise<void>;
}

/** An agent that speaks A2A through a relay and exports its own spans, as agents with tracing do. */
export interface TracedAgent {
  readonly id: string;
  readonly role: string;
  now(): Micros;
  newTrace(): TraceIds;
  newSpan(trace: TraceIds): TraceIds;
  send(message: OutgoingMessage): Promise<SentMessage>;
  /** Reads or cancels a task of the agent `from`, in a trace of its own. */
  callTask(
    method: 'tasks/get' | 'tasks/cancel',
    task: { readonly taskId: string; readonly from: string; readonly sessionId: string },
  ): Promise<void>;
  export(span: NewSpan): Promise<void>;
  attributes(sessionId: string): Record<string, string>;
}

export function createTracedAgent(deps: AgentDeps): TracedAgent {
  const { id, role, clock, random, sink } = deps;
  const hex = (bytes: number) => toHex(random.bytes(bytes));
  const newTrace = (): TraceIds => ({ traceId: hex(16), spanId: hex(8) });
  const newSpan = ({ traceId }: TraceIds): TraceIds => ({ traceId, spanId: hex(8) });

  function attributes(sessionId: string): Record<string, string> {
    return {
      'agent.id': id,
      'agent.name': id,
      'agent.role': role,
      'session.id': sessionId,
      'user.id': id,
      'graph.node.id': id,
      'openinference.span.kind': 'AGENT',
    };
  }

  function exchange(sessionId: string, method: string, to: string, task: { id?: string; state?: string }) {
    return {
      ...attributes(sessionId),
      'o2r.method': method,
      'o2r.task.id': task.id ?? '',
      'o2r.task.state': task.state ?? '',
      'o2r.peer.target': to,
      'o2r.peer.sender_role': role,
      'o2r.peer.target_role': '',
    };
  }

  function post(to: string, body: object, trace: TraceIds | undefined): Promise<Response> {
    return fetch(deps.addressOf(to), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...deps.headers,
        ...(trace && { traceparent: `00-${trace.traceId}-${trace.spanId}-01` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: hex(4), ...body }),
    });
  }

  return {
    id,
    role,
    now: () => clock.now(),
    newTrace,
    newSpan,
    attributes,
    export: (span) => sink.send([span]),
    async send({ to, text, sessionId, method = 'message/send', within, propagate = true }) {
      const trace = within ? newSpan(within) : newTrace();
      const start = clock.now();
      const message = {
        kind: 'message',
        messageId: hex(8),
        role: 'user',
        contextId: sessionId,
        parts: [{ kind: 'text', text }],
        metadata: { 'agent.id': id, 'agent.target': to },
      };
      const response = await post(to, { method, params: { message } }, propagate ? trace : undefined);
      return {
        response,
        trace,
        async end(task) {
          const times = { start, end: clock.now() };
          const common = exchange(sessionId, method, to, task);
          const input = JSON.stringify({ role: 'user', parts: message.parts });
          await sink.send([
            {
              name: method === 'message/send' ? 'a2a.client.send' : 'a2a.client.stream',
              kind: 'client',
              ...trace,
              ...(within && { parentSpanId: within.spanId }),
              ...times,
              attributes: { ...common, 'peer.agent.id': to, 'http.response.status_code': response.status },
            },
            {
              name: 'a2a.message.send',
              kind: 'internal',
              ...newSpan(trace),
              parentSpanId: trace.spanId,
              ...times,
              attributes: { ...common, 'input.value': input, 'input.mime_type': 'application/json' },
            },
          ]);
        },
      };
    },
    async callTask(method, { taskId, from, sessionId }) {
      const trace = newTrace();
      const start = clock.now();
      const response = await post(from, { method, params: { id: taskId } }, trace);
      const { result } = (await response.json()) as { result?: { status?: { state?: string } } };
      const task = { id: taskId, state: result?.status?.state ?? '' };
      await sink.send([
        {
          name: 'a2a.client.recv',
          kind: 'client',
          ...trace,
          start,
          end: clock.now(),
          ...(result === undefined && { failure: 'The task could not be read.' }),
          attributes: { ...exchange(sessionId, method, from, task), 'graph.node.parent_id': from },
        },
      ]);
    },
  };
}
