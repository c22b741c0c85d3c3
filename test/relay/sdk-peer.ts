/** An agent built with the official SDK, listening on loopback and speaking one version of A2A by one binding. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentCard, formatSSEEvent } from '@a2a-js/sdk';
import {
  createLegacyAwarePushNotificationSender,
  LegacyJsonRpcTransportHandler,
} from '@a2a-js/sdk/compat/v0_3/server';
import { LegacyA2AService, legacyGrpcService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import {
  type A2ARequestHandler,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from '@a2a-js/sdk/server';
import { A2AService, grpcService, UserBuilder } from '@a2a-js/sdk/server/grpc';
import { Server as GrpcServer, ServerCredentials, ServerInterceptingCall } from '@grpc/grpc-js';
import { echoAgent } from './echo-agent.ts';
import { loadSdkRest } from './sdk-rest.ts';
import { serveWith } from './small-express.ts';

export type Version = '0.3' | '1.0';
export type Binding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

export interface SdkPeer {
  readonly url: string;
  /** Headers of the requests that came, in order. */
  readonly seen: IncomingMessage['headers'][];
  /** Bytes of the bodies that came and of the answers that went, in order. */
  readonly bodies: string[];
  readonly answers: string[];
  close(): Promise<void>;
}

export interface SdkPeerOptions {
  readonly binding?: Binding;
  /** Awaited before each of the three pieces of an answer. */
  readonly beforePiece?: (piece: number) => Promise<void>;
}

type Serve = (request: IncomingMessage, response: ServerResponse, body: string) => void | Promise<void>;

export async function startSdkPeer(version: Version, options: SdkPeerOptions = {}): Promise<SdkPeer> {
  const { binding = 'JSONRPC', beforePiece = async () => undefined } = options;
  const seen: IncomingMessage['headers'][] = [];
  const bodies: string[] = [];
  const answers: string[] = [];
  let cardJson = '';
  let serve: Serve | undefined;
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/.well-known/')) {
      response.statusCode = request.url === '/.well-known/agent-card.json' ? 200 : 404;
      response.setHeader('content-type', 'application/json').end(cardJson);
      return;
    }
    let body = '';
    for await (const piece of request) body += piece;
    seen.push(request.headers);
    bodies.push(body);
    recordAnswer(response, answers);
    await serve?.(request, response, body);
  });
  const url = await listenOn(server);
  const grpcPort = binding === 'GRPC' ? await freePort() : 0;
  const card = cardOf(version, binding, binding === 'GRPC' ? `127.0.0.1:${grpcPort}` : url);
  cardJson = JSON.stringify(
    version === '1.0'
      ? AgentCard.toJSON(card)
      : legacyCard(card, binding, card.supportedInterfaces[0]?.url ?? url),
  );
  const pushes = new InMemoryPushNotificationStore();
  const handler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    echoAgent(beforePiece),
    undefined,
    pushes,
    createLegacyAwarePushNotificationSender(pushes),
    async () => ({ ...card, description: 'Says it again, and more to those who may.' }),
  );
  if (binding === 'GRPC') {
    const grpc = await serveGrpc(version, handler, grpcPort, seen);
    return {
      url,
      seen,
      bodies,
      answers,
      close: () => Promise.all([closeServer(server), grpc()]).then(() => {}),
    };
  }
  serve = binding === 'JSONRPC' ? serveRpc(version, handler) : await serveRest(version, handler);
  return { url, seen, bodies, answers, close: () => closeServer(server) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = Number(new URL(await listenOn(server)).port);
  await closeServer(server);
  return port;
}

/** Answers how to stop it. */
async function serveGrpc(
  version: Version,
  requestHandler: A2ARequestHandler,
  port: number,
  seen: IncomingMessage['headers'][],
): Promise<() => Promise<void>> {
  const noting = {
    requestHandler,
    userBuilder: UserBuilder.noAuthentication,
  };
  const server = new GrpcServer({
    interceptors: [
      (_method, call) => {
        return new ServerInterceptingCall(call, {
          start: (next) =>
            next({
              onReceiveMetadata(metadata, onward) {
                seen.push(
                  Object.fromEntries(Object.entries(metadata.getMap()).map(([k, v]) => [k, String(v)])),
                );
                onward(metadata);
              },
            }),
        });
      },
    ],
  });
  if (version === '1.0') server.addService(A2AService, grpcService(noting));
  else server.addService(LegacyA2AService, legacyGrpcService(noting));
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error) =>
      error ? reject(error) : resolve(),
    );
  });
  return async () => server.forceShutdown();
}

function cardOf(version: Version, binding: Binding, url: string): AgentCard {
  return AgentCard.fromJSON({
    name: `Echo ${version}`,
    description: 'Says it again.',
    version: '1',
    supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion: version }],
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  });
}

function legacyCard({ name, description, version }: AgentCard, preferredTransport: Binding, url: string) {
  return {
    name,
    description,
    version,
    protocolVersion: '0.3.0',
    url,
    preferredTransport,
    capabilities: { streaming: true, pushNotifications: true },
    supportsAuthenticatedExtendedCard: true,
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
}

function serveRpc(version: Version, handler: A2ARequestHandler): Serve {
  const transport =
    version === '1.0' ? new JsonRpcTransportHandler(handler) : new LegacyJsonRpcTransportHandler(handler);
  return async (_request, response, body) => {
    const result = await transport.handle(
      JSON.parse(body),
      new ServerCallContext({ requestedVersion: version }),
    );
    if (!(Symbol.asyncIterator in result)) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(result));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for await (const event of result) response.write(formatSSEEvent(event));
    response.end();
  };
}

async function serveRest(version: Version, requestHandler: A2ARequestHandler): Promise<Serve> {
  const { restHandler, UserBuilder } = await loadSdkRest();
  const router = restHandler({
    requestHandler,
    userBuilder: UserBuilder.noAuthentication,
    legacyCompat: { enabled: version === '0.3' },
  });
  return (request, response, body) => serveWith(router, request, response, body);
}

function recordAnswer(response: ServerResponse, answers: string[]): void {
  const { write, end } = response;
  let sent = '';
  response.write = ((piece: string) => {
    sent += piece;
    return write.call(response, piece, 'utf8');
  }) as typeof write;
  response.end = ((piece = '') => {
    answers.push(sent + piece);
    return end.call(response, piece, 'utf8');
  }) as typeof end;
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
