/** An agent built with the official SDK, listening on loopback and speaking one version of A2A. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentCard, formatSSEEvent, Role, TaskState } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from '@a2a-js/sdk/server';

export type Version = '0.3' | '1.0';

export interface SdkPeer {
  readonly url: string;
  /** Headers of the requests that came, in order. */
  readonly seen: IncomingMessage['headers'][];
  /** Bytes of the bodies that came and of the answers that went, in order. */
  readonly bodies: string[];
  readonly answers: string[];
  close(): Promise<void>;
}

export async function startSdkPeer(version: Version, pauseMs = 0): Promise<SdkPeer> {
  const seen: IncomingMessage['headers'][] = [];
  const bodies: string[] = [];
  const answers: string[] = [];
  let cardJson = '';
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      response.statusCode = request.url === '/.well-known/agent-card.json' ? 200 : 404;
      response.end(cardJson);
      return;
    }
    let body = '';
    for await (const piece of request) body += piece;
    seen.push(request.headers);
    bodies.push(body);
    await answer(JSON.parse(body), response);
  });
  const url = await listenOn(server);
  const card = AgentCard.fromJSON({
    name: `Echo ${version}`,
    description: 'Says it again.',
    version: '1',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: version }],
    capabilities: { streaming: true, pushNotifications: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  });
  cardJson =
    version === '1.0'
      ? JSON.stringify(AgentCard.toJSON(card))
      : JSON.stringify({
          name: 'Echo 0.3',
          description: 'Says it again.',
          version: '1',
          protocolVersion: '0.3.0',
          url,
          preferredTransport: 'JSONRPC',
          capabilities: { streaming: true, pushNotifications: true },
          defaultInputModes: ['text/plain'],
          defaultOutputModes: ['text/plain'],
          skills: [],
        });
  const handler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    echo(pauseMs),
    undefined,
    new InMemoryPushNotificationStore(),
  );
  const transport =
    version === '1.0' ? new JsonRpcTransportHandler(handler) : new LegacyJsonRpcTransportHandler(handler);

  async function answer(body: Record<string, unknown>, response: ServerResponse): Promise<void> {
    const result = await transport.handle(body, new ServerCallContext({ requestedVersion: version }));
    if (Symbol.asyncIterator in result) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let sent = '';
      for await (const event of result) {
        const frame = formatSSEEvent(event);
        sent += frame;
        response.write(frame);
      }
      answers.push(sent);
      response.end();
      return;
    }
    const text = JSON.stringify(result);
    answers.push(text);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(text);
  }

  return { url, seen, bodies, answers, close: () => closeServer(server) };
}

/** Answers by the first word: `fail`, `reject`, `ask`, `message`, `wait`; anything else is echoed in three pieces. */
function echo(pauseMs: number): AgentExecutor {
  const canceled = new Set<string>();
  return {
    async execute(context, bus) {
      const { taskId, contextId, userMessage } = context;
      const said = userMessage.parts
        .map(({ content }) => (content?.$case === 'text' ? content.value : ''))
        .join('');
      const say = (text: string) => ({
        messageId: `m-${taskId}`,
        contextId,
        taskId,
        role: Role.ROLE_AGENT,
        parts: [
          {
            content: { $case: 'text' as const, value: text },
            metadata: undefined,
            filename: '',
            mediaType: '',
          },
        ],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      });
      const status = (state: TaskState, text?: string) =>
        bus.publish(
          AgentEvent.statusUpdate({
            taskId,
            contextId,
            status: { state, message: text ? say(text) : undefined, timestamp: undefined },
            metadata: undefined,
          }),
        );
      if (said.startsWith('message')) {
        bus.publish(AgentEvent.message({ ...say('just a message'), taskId: '' }));
        bus.finished();
        return;
      }
      bus.publish(
        AgentEvent.task({
          id: taskId,
          contextId,
          status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: undefined },
          artifacts: [],
          history: [],
          metadata: undefined,
        }),
      );
      status(TaskState.TASK_STATE_WORKING);
      if (said.startsWith('reject')) status(TaskState.TASK_STATE_REJECTED, 'no');
      else if (said.startsWith('fail')) status(TaskState.TASK_STATE_FAILED, 'broken');
      else if (said.startsWith('ask')) status(TaskState.TASK_STATE_INPUT_REQUIRED, 'which one?');
      else if (said.startsWith('wait')) {
        for (let left = 100; left > 0 && !canceled.has(taskId); left -= 1) await sleep(50);
        status(canceled.has(taskId) ? TaskState.TASK_STATE_CANCELED : TaskState.TASK_STATE_COMPLETED);
      } else {
        for (const [at, piece] of ['echo: ', said, '!'].entries()) {
          if (pauseMs > 0) await sleep(pauseMs);
          bus.publish(
            AgentEvent.artifactUpdate({
              taskId,
              contextId,
              artifact: {
                artifactId: 'a',
                name: '',
                description: '',
                parts: say(piece).parts,
                metadata: undefined,
                extensions: [],
              },
              append: at > 0,
              lastChunk: at === 2,
              metadata: undefined,
            }),
          );
        }
        status(TaskState.TASK_STATE_COMPLETED);
      }
      bus.finished();
    },
    async cancelTask(taskId) {
      canceled.add(taskId);
    },
  };
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export async function listenOn(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
