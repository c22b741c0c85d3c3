/**
 * What a client of the official SDK is told by an agent, directly and through the relay: the same, whichever versions and
 * bindings the two of them speak. After the structure of the official kit: discovery, every method, every error.
 */
import type { AgentCard, StreamResponse, Task } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { artifactText, say } from './sdk-client.ts';
import { wordsOf } from './sdk-message.ts';
import { type SdkPeer, startSdkPeer } from './sdk-peer.ts';
import { ALL_SPEECHES, nameOf, type Speech } from './speeches.ts';

let server: TestServer;
const peers = new Map<string, SdkPeer>();
const direct = new Map<string, object>();
beforeAll(async () => {
  server = await startTestServer({ relay: { BATON_RELAY_GRPC_PORT: '0' } });
  for (const speech of ALL_SPEECHES) {
    const peer = await startSdkPeer(speech.version, { binding: speech.binding });
    peers.set(nameOf(speech), peer);
    await server.client.call('relay.peer.register', { id: nameOf(speech), url: peer.url, access: 'open' });
    direct.set(nameOf(speech), await transcript(await clientOf(`${peer.url}/`, speech)));
  }
});
afterAll(async () => {
  await server.close();
  for (const peer of peers.values()) await peer.close();
});

async function clientOf(base: string, { version, binding }: Speech): Promise<Client> {
  const legacy = { legacyCompat: { enabled: true } };
  const card = await new DefaultAgentCardResolver(legacy).resolve(base);
  const supportedInterfaces = card.supportedInterfaces.filter(
    (one) => one.protocolVersion.startsWith(version) && one.protocolBinding === binding,
  );
  expect(supportedInterfaces).toHaveLength(1);
  const factory = new ClientFactory({
    ...ClientFactoryOptions.default,
    transports: [
      new JsonRpcTransportFactory(legacy),
      new RestTransportFactory(legacy),
      new GrpcTransportFactory(legacy),
    ],
  });
  return factory.createFromAgentCard({ ...card, supportedInterfaces } as AgentCard);
}

/** Everything that a client can ask, and what it was told, without what differs from one run to the next. */
async function transcript(client: Client, agent?: string) {
  // gRPC of 0.3 has no member for a tenant, so that callers name the agent beside the message.
  const options = agent ? { serviceParameters: { 'x-baton-agent': agent } } : {};
  const send = (text: string, more = {}) => client.sendMessage(say(text, more), options);
  const fault = (asked: Promise<unknown>) =>
    asked.then(
      () => 'none',
      (error: Error) => error.name,
    );
  const get = (id: string) => client.getTask({ tenant: '', id, historyLength: undefined }, options);
  const cancel = (id: string) => client.cancelTask({ tenant: '', id, metadata: undefined }, options);

  const task = (await send('hello')) as Task;
  const message = await send('message');
  const failed = (await send('fail')) as Task;
  const asked = (await send('ask')) as Task;
  const events: string[] = [];
  let text = '';
  for await (const event of client.sendMessageStream(say('stream'), options)) {
    events.push(kindOf(event));
    if (event.payload?.$case === 'artifactUpdate') text += wordsOf(event.payload.value.artifact?.parts);
  }
  const waiting = client.sendMessageStream(say('wait'), options);
  const first = (await waiting.next()).value as StreamResponse;
  const id = first.payload?.$case === 'task' ? first.payload.value.id : '';
  const followed = client.resubscribeTask({ tenant: '', id }, options);
  const opening = (await followed.next()).value as StreamResponse;
  const canceled = await cancel(id);
  const rest: string[] = [];
  for await (const event of followed) rest.push(kindOf(event));
  for await (const _ of waiting);
  const config = {
    tenant: '',
    id: 'p1',
    taskId: asked.id,
    url: 'https://hooks.example/x',
    token: 't',
    authentication: undefined,
  };
  const set = await client.createTaskPushNotificationConfig(config, options);
  const named = { tenant: '', taskId: asked.id, id: 'p1' };
  const read = await client.getTaskPushNotificationConfig(named, options);
  const all = { tenant: '', taskId: asked.id, pageSize: 10, pageToken: '' };
  const listed = await client.listTaskPushNotificationConfig(all, options);
  await client.deleteTaskPushNotificationConfig(named, options);
  const without = await client.listTaskPushNotificationConfig(all, options);
  const card = await client.getAgentCard(options);
  return {
    task: [task.status?.state, artifactText(task), task.contextId, (await get(task.id)).status?.state],
    message: 'parts' in message ? wordsOf(message.parts) : 'no message',
    failed: [failed.status?.state, wordsOf(failed.status?.message?.parts)],
    asked: asked.status?.state,
    stream: [events, text],
    followed: [kindOf(opening), rest.at(-1), canceled.status?.state],
    push: [set.url, read.token, listed.configs.map((one) => one.id), without.configs.length],
    card: [card.description, card.skills.length],
    errors: {
      unknownTask: await fault(get('nothing')),
      unknownToCancel: await fault(cancel('nothing')),
      finished: await fault(cancel(task.id)),
      unknownContinued: await fault(send('more', { taskId: 'nothing' })),
    },
  };
}

function kindOf({ payload }: StreamResponse): string {
  return payload?.$case === 'statusUpdate' ? `status ${payload.value.status?.state}` : (payload?.$case ?? '');
}

/** Those by HTTP alone have a short form in `matrix.test.ts`. */
const isShort = process.env.BATON_PROVE !== '1';
const partnersOf = ({ binding }: Speech) =>
  ALL_SPEECHES.filter((one) => !isShort || binding === 'GRPC' || one.binding === 'GRPC').map(nameOf);

describe.each(ALL_SPEECHES.map((speech) => [nameOf(speech), speech] as const))(
  'a client of %s',
  (name, speech) => {
    it.each(partnersOf(speech))(
      'is told by an agent of %s what one of its own speech tells it',
      async (agent) => {
        const client = await clientOf(`${server.url}/a2a/${agent}/`, speech);
        const heard = await transcript(client, speech.binding === 'GRPC' ? agent : undefined);
        expect(heard).toEqual(direct.get(name));
      },
    );
  },
);
