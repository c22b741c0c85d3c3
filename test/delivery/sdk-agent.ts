/** An agent built with the official A2A SDK that takes turns: it answers each prompt with a turn result. */
import { createServer } from 'node:http';
import { AgentCard, Role } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from '@a2a-js/sdk/server';
import { closeServer, listenOn } from '../relay/sdk-peer.ts';

export interface SdkAgent {
  readonly url: string;
  /** What it was told, in order. */
  readonly heard: readonly string[];
  close(): Promise<void>;
}

export async function startSdkAgent(answer: (prompt: string) => string): Promise<SdkAgent> {
  const heard: string[] = [];
  const executor: AgentExecutor = {
    async execute({ contextId, userMessage }, bus) {
      const prompt = userMessage.parts
        .map(({ content }) => (content?.$case === 'text' ? content.value : ''))
        .join('');
      heard.push(prompt);
      bus.publish(
        AgentEvent.message({
          messageId: `m-${heard.length}`,
          contextId,
          taskId: '',
          role: Role.ROLE_AGENT,
          parts: [
            {
              content: { $case: 'text', value: answer(prompt) },
              metadata: undefined,
              filename: '',
              mediaType: '',
            },
          ],
          metadata: undefined,
          extensions: [],
          referenceTaskIds: [],
        }),
      );
      bus.finished();
    },
    cancelTask: async () => undefined,
  };
  let respond: (body: string | undefined) => Promise<unknown>;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(await respond(request.method === 'GET' ? undefined : body)));
  });
  const url = await listenOn(server);
  const card = AgentCard.fromJSON({
    name: 'Builder',
    description: 'Takes turns.',
    version: '1',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  });
  const transport = new JsonRpcTransportHandler(
    new DefaultRequestHandler(card, new InMemoryTaskStore(), executor),
  );
  respond = async (body) =>
    body === undefined
      ? AgentCard.toJSON(card)
      : transport.handle(JSON.parse(body), new ServerCallContext({ requestedVersion: '1.0' }));
  return { url, heard, close: () => closeServer(server) };
}
