import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LooseRecord } from '../../../../src/kernel/json/loose.ts';
import type { TracedAgent, TraceIds } from './traced-agent.ts';

export interface IncomingTask {
  readonly text: string;
  readonly sessionId: string;
  /** The agent's own span for this task, the parent of what it does meanwhile. */
  readonly within: TraceIds;
  /** Resolves when the task is canceled. */
  readonly canceled: Promise<void>;
}

export interface Answer {
  readonly state: 'completed' | 'failed' | 'canceled';
  readonly text: string;
}

export interface AnsweringAgent {
  readonly url: string;
  close(): Promise<void>;
}

interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: {
    readonly id?: string;
    readonly message?: {
      readonly contextId?: string;
      readonly parts: readonly { readonly text?: string }[];
      readonly metadata?: LooseRecord;
    };
  };
}

/** An A2A 0.3 agent on loopback that traces its tasks below the caller's `traceparent`. */
export async function startAnsweringAgent(
  agent: TracedAgent,
  work: (task: IncomingTask) => Promise<Answer>,
): Promise<AnsweringAgent> {
  const tasks = new Map<string, { task: LooseRecord; cancel: () => void; canceled: Promise<void> }>();
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      json(response, card(agent.id, `http://${request.headers.host}/`));
      return;
    }
    let body = '';
    for await (const piece of request) body += piece;
    const call = JSON.parse(body) as Call;
    const reply = (result: LooseRecord) => json(response, { jsonrpc: '2.0', id: call.id, result });
    const known = tasks.get(call.params.id ?? '');
    if (call.method === 'tasks/get' && known) return reply(known.task);
    if (call.method === 'tasks/cancel' && known) {
      known.cancel();
      return reply({ ...known.task, status: { state: 'canceled' } });
    }
    if (call.method === 'message/send') return reply(await run(request, call, () => undefined));
    if (call.method !== 'message/stream') {
      const error = { code: -32001, message: 'There is no such task.' };
      return json(response, { jsonrpc: '2.0', id: call.id, error });
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    await run(request, call, (result) =>
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: call.id, result })}\n\n`),
    );
    response.end();
  }

  async function run(
    request: IncomingMessage,
    call: Call,
    emit: (event: LooseRecord) => void,
  ): Promise<LooseRecord> {
    const start = agent.now();
    const parent = traceOf(request.headers.traceparent);
    const within = parent ? agent.newSpan(parent) : agent.newTrace();
    const message = call.params.message;
    const sessionId = message?.contextId ?? '';
    const id = `task-${within.spanId}`;
    const task = { kind: 'task', id, contextId: sessionId };
    const about = { taskId: id, contextId: sessionId };
    let cancel: () => void = () => undefined;
    const canceled = new Promise<void>((resolve) => {
      cancel = resolve;
    });
    tasks.set(id, { task: { ...task, status: { state: 'working' } }, cancel, canceled });
    emit({ ...task, status: { state: 'submitted' } });
    emit({ kind: 'status-update', ...about, status: { state: 'working' }, final: false });
    const text = message?.parts.map((part) => part.text ?? '').join('') ?? '';
    const { state, text: reply } = await work({ text, sessionId, within, canceled });
    const artifact = { artifactId: 'answer', parts: [{ kind: 'text', text: reply }] };
    const done = { ...task, status: { state }, artifacts: reply === '' ? [] : [artifact] };
    tasks.set(id, { task: done, cancel, canceled });
    if (reply !== '') emit({ kind: 'artifact-update', ...about, artifact, lastChunk: true });
    const sender = message?.metadata?.['agent.id'];
    await agent.export({
      name: 'a2a.task',
      kind: 'server',
      ...within,
      ...(parent && { parentSpanId: parent.spanId }),
      start,
      end: agent.now(),
      ...(state !== 'completed' && { failure: `The task ended as ${state}.` }),
      attributes: {
        ...agent.attributes(sessionId),
        ...(typeof sender === 'string' && { 'graph.node.parent_id': sender, 'user.id': sender }),
        'o2r.method': call.method,
        'o2r.task.id': id,
        'o2r.task.state': state,
        'o2r.peer.target': agent.id,
        'o2r.peer.sender_role': '',
        'o2r.peer.target_role': agent.role,
      },
    });
    emit({ kind: 'status-update', ...about, status: { state }, final: true });
    return done;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function json(response: ServerResponse, body: LooseRecord): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function traceOf(header: string | string[] | undefined): TraceIds | undefined {
  const match = /^00-([0-9a-f]{32})-([0-9a-f]{16})-/.exec(String(header ?? ''));
  return match ? { traceId: match[1] as string, spanId: match[2] as string } : undefined;
}

function card(name: string, url: string): LooseRecord {
  return {
    name,
    description: 'An agent that checks a relay.',
    version: '1.0.0',
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
}
