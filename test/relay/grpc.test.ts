import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { AgentCard, type Task, TaskState } from '@a2a-js/sdk';
import { ClientFactory, ClientFactoryOptions, type RequestOptions } from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import {
  type ChannelCredentials,
  credentials,
  Client as GrpcClient,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { artifactText, say } from './sdk-client.ts';
import { closeServer, listenOn, type SdkPeer, startSdkPeer } from './sdk-peer.ts';

const tls = resolve(import.meta.dirname, '../fixtures/tls');
let server: TestServer;
let peer: SdkPeer;
let address: string;
beforeAll(async () => {
  server = await startTestServer({
    relay: { BATON_RELAY_GRPC_PORT: '0' },
    host: '127.0.0.1',
  });
  peer = await startSdkPeer('1.0', { binding: 'GRPC' });
  await server.client.call('relay.peer.register', { id: 'writer', url: peer.url });
  const card = await shownCard('writer');
  address = card.supportedInterfaces.find((one) => one.protocolBinding === 'GRPC')?.url ?? '';
});
afterAll(async () => {
  await server.close();
  await peer.close();
});

async function shownCard(agent: string): Promise<AgentCard> {
  const response = await fetch(`${server.url}/a2a/${agent}/.well-known/agent-card.json`, {
    headers: { 'x-baton-key': server.ownerToken, 'a2a-version': '1.0' },
  });
  return AgentCard.fromJSON(await response.json());
}

const asOwner = (more: Record<string, string> = {}): RequestOptions => ({
  serviceParameters: { 'x-baton-key': server.ownerToken, ...more },
});

async function clientOf(agent: string) {
  const card = await shownCard(agent);
  const supportedInterfaces = card.supportedInterfaces.filter(
    (one) => one.protocolBinding === 'GRPC' && one.protocolVersion === '1.0',
  );
  const factory = new ClientFactory({
    ...ClientFactoryOptions.default,
    transports: [new GrpcTransportFactory()],
  });
  return factory.createFromAgentCard({ ...card, supportedInterfaces } as AgentCard);
}

it('a client finds the agent by the tenant that the card gives it, and its metadata goes along', async () => {
  const client = await clientOf('writer');
  const task = (await client.sendMessage(
    say('hello', { contextId: 'by grpc' }),
    asOwner({ authorization: 'Bearer for-the-peer' }),
  )) as Task;
  expect([task.status?.state, artifactText(task)]).toEqual([TaskState.TASK_STATE_COMPLETED, 'echo: hello!']);
  expect(peer.seen.at(-1)).toMatchObject({
    authorization: 'Bearer for-the-peer',
    traceparent: expect.stringMatching(/^00-/),
  });
  expect(peer.seen.at(-1)).not.toHaveProperty('x-baton-key');
  const read = async () => (await server.client.call('relay.spans', { session_id: 'by grpc' })).items;
  await expect.poll(async () => (await read()).length).toBe(3);
});

it('a caller without a key, of an agent that needs one, learns nothing', async () => {
  const client = await clientOf('writer');
  for (const parameters of [{}, { 'x-baton-agent': 'writer' }, { 'x-baton-agent': 'nobody' }])
    await expect(client.sendMessage(say('hello'), { serviceParameters: parameters })).rejects.toMatchObject({
      status: status.UNAUTHENTICATED,
    });
});

it('an agent that is not there is unavailable', async () => {
  await server.client.call('relay.peer.register', { id: 'gone', url: 'grpc://127.0.0.1:1', retries: 0 });
  const client = await clientOf('writer');
  await expect(client.sendMessage(say('hello'), asOwner({ 'x-baton-agent': 'gone' }))).rejects.toMatchObject({
    status: status.UNAVAILABLE,
  });
});

it('a deadline ends a call, and a caller that leaves a stream leaves it open for who comes back', async () => {
  const raw = new GrpcClient(address, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set('x-baton-key', server.ownerToken);
  metadata.set('a2a-version', '1.0');
  const { path, requestSerialize, responseDeserialize } = A2AService.sendMessage;
  const fault = await new Promise<ServiceError | null>((done) => {
    raw.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      { ...say('wait'), tenant: 'writer' } as never,
      metadata,
      { deadline: Date.now() + 300 },
      done,
    );
  });
  expect(fault?.code).toBe(status.DEADLINE_EXCEEDED);
  raw.close();
  const client = await clientOf('writer');
  const stream = client.sendMessageStream(say('wait', { contextId: 'left by grpc' }), asOwner());
  const first = (await stream.next()).value;
  const id = first?.payload?.$case === 'task' ? first.payload.value.id : '';
  await stream.return(undefined);
  const again = client.resubscribeTask({ tenant: '', id }, asOwner());
  expect((await again.next()).value?.payload).toMatchObject({ $case: 'task', value: { id } });
  await client.cancelTask({ tenant: '', id, metadata: undefined }, asOwner());
  const states = [];
  for await (const { payload } of again)
    if (payload?.$case === 'statusUpdate') states.push(payload.value.status?.state);
  expect(states.at(-1)).toBe(TaskState.TASK_STATE_CANCELED);
});

it('is spoken over TLS where the server has a certificate, and not otherwise', async () => {
  const free = createServer();
  const port = Number(new URL(await listenOn(free)).port);
  await closeServer(free);
  const secure = await startTestServer({
    relay: { BATON_RELAY_GRPC_PORT: String(port) },
    tls: { cert: `${tls}/server.pem`, key: `${tls}/server.key` },
  });
  const { path, requestSerialize, responseDeserialize } = A2AService.getTask;
  const ask = (by: ChannelCredentials) =>
    new Promise<number | undefined>((done) => {
      const raw = new GrpcClient(`localhost:${port}`, by);
      const asked = { tenant: '', id: 't', historyLength: undefined };
      raw.makeUnaryRequest(path, requestSerialize, responseDeserialize, asked, (fault) => {
        raw.close();
        done(fault?.code);
      });
    });
  try {
    expect(await ask(credentials.createSsl(readFileSync(`${tls}/ca.pem`)))).toBe(status.UNAUTHENTICATED);
    expect(await ask(credentials.createInsecure())).toBe(status.UNAVAILABLE);
  } finally {
    await secure.close();
  }
});
