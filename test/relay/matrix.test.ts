import { type Message, type Task, TaskState } from '@a2a-js/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { artifactText, relayFetch, say, sdkClient } from './sdk-client.ts';
import { wordsOf } from './sdk-message.ts';
import type { SdkPeer } from './sdk-peer.ts';
import { MATRIX, startSpeakingPeers } from './speeches.ts';

let server: TestServer;
let peers: ReadonlyMap<string, SdkPeer>;
beforeAll(async () => {
  server = await startTestServer();
  peers = await startSpeakingPeers(server);
});
afterAll(async () => {
  await server.close();
  for (const peer of peers.values()) await peer.close();
});

describe.each(MATRIX)('a client and a peer of $name', ({ client: spoken, agent, name }) => {
  const connect = () => sdkClient(server, spoken.version, agent, spoken.binding);
  const peer = () => peers.get(agent)!;

  it('send and get a task', async () => {
    const client = await connect();
    const task = (await client.sendMessage(say('hello'))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(artifactText(task)).toBe('echo: hello!');
    const again = await client.getTask({ tenant: '', id: task.id, historyLength: undefined });
    expect(again.id).toBe(task.id);
    expect(peer().seen.at(-1)?.authorization).toBe('Bearer for-the-peer');
    expect(peer().seen.at(-1)?.['x-baton-key']).toBeUndefined();
  });

  it('stream every event in order', async () => {
    const client = await connect();
    const events: string[] = [];
    let text = '';
    for await (const { payload } of client.sendMessageStream(say('stream'))) {
      events.push(payload?.$case ?? '');
      if (payload?.$case === 'artifactUpdate') {
        text += wordsOf(payload.value.artifact?.parts);
      }
    }
    expect(events[0]).toBe('task');
    expect(events.at(-1)).toBe('statusUpdate');
    expect(text).toBe('echo: stream!');
  });

  it('get a message instead of a task', async () => {
    const client = await connect();
    const reply = (await client.sendMessage(say('message'))) as Message;
    expect(reply.parts.map(({ content }) => content?.value)).toEqual(['just a message']);
  });

  it('cancel a task that waits, and not one that is done', async () => {
    const client = await connect();
    const stream = client.sendMessageStream(say('wait'));
    const first = await stream.next();
    const id = first.value?.payload?.$case === 'task' ? first.value.payload.value.id : '';
    const canceled = await client.cancelTask({ tenant: '', id, metadata: undefined });
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    for await (const _ of stream);
    const done = (await client.sendMessage(say('done'))) as Task;
    await expect(client.cancelTask({ tenant: '', id: done.id, metadata: undefined })).rejects.toThrow(
      /cancel/i,
    );
  });

  it('follow a task that another stream began', async () => {
    const client = await connect();
    const stream = client.sendMessageStream(say('wait'));
    const first = await stream.next();
    const id = first.value?.payload?.$case === 'task' ? first.value.payload.value.id : '';
    const followed = client.resubscribeTask({ tenant: '', id });
    const opening = await followed.next();
    expect(opening.value?.payload).toMatchObject({ $case: 'task', value: { id } });
    await client.cancelTask({ tenant: '', id, metadata: undefined });
    const states: unknown[] = [];
    for await (const { payload } of followed)
      if (payload?.$case === 'statusUpdate') states.push(payload.value.status?.state);
    expect(states.at(-1)).toBe(TaskState.TASK_STATE_CANCELED);
    for await (const _ of stream);
  });

  it('read the extended card, which leads back to the relay', async () => {
    const client = await connect();
    const card = await client.getAgentCard();
    expect(card.description).toBe('Says it again, and more to those who may.');
    expect(new Set(card.supportedInterfaces.map(({ url }) => url))).toEqual(
      new Set([`${server.url}/a2a/${agent}`]),
    );
  });

  it('are told of a task that does not exist', async () => {
    const client = await connect();
    await expect(client.getTask({ tenant: '', id: 'nothing', historyLength: undefined })).rejects.toThrow(
      /not found/i,
    );
  });

  it('set, read, list and delete push notifications', async () => {
    const client = await connect();
    const task = (await client.sendMessage(say('ask'))) as Task;
    const config = {
      tenant: '',
      id: 'p1',
      taskId: task.id,
      url: 'https://hooks.example/x',
      token: 't',
      authentication: undefined,
    };
    expect((await client.createTaskPushNotificationConfig(config)).url).toBe(config.url);
    expect((await client.getTaskPushNotificationConfig({ tenant: '', taskId: task.id, id: 'p1' })).url).toBe(
      config.url,
    );
    const listed = await client.listTaskPushNotificationConfig({
      tenant: '',
      taskId: task.id,
      pageSize: 10,
      pageToken: '',
    });
    expect(listed.configs.map(({ id }) => id)).toEqual(['p1']);
    await client.deleteTaskPushNotificationConfig({ tenant: '', taskId: task.id, id: 'p1' });
  });

  it('have left spans: the peer hangs below the forward, the outcome is the true one', async () => {
    const contextId = `spans of ${name}`;
    const client = await connect();
    await client.sendMessage(say('fail', { contextId }));
    await expect.poll(async () => (await spansOf(contextId)).length).toBe(3);
    const spans = await spansOf(contextId);
    const task = spans.find(({ name }) => name === 'a2a.task');
    const forward = spans.find(({ name }) => name === 'a2a.relay.forward');
    expect(task).toMatchObject({
      kind: 'server',
      status: 'error',
      attributes: {
        'o2r.task.state': 'failed',
        // Nothing went wrong between the relay and the peer; what did is the peer's to say.
        'o2r.relay.failure_class': 'task_failed',
        'error.type': 'failed',
        'o2r.method': 'message/send',
        'a2a.method.name': 'SendMessage',
      },
    });
    expect(
      task?.events
        .filter(({ name }) => name === 'o2r.task.state_change')
        .map(({ attributes }) => attributes.to),
    ).toEqual(['working', 'failed']);
    expect(forward?.parent_span_id).toBe(task?.span_id);
    expect(peer().seen.at(-1)?.traceparent).toBe(`00-${forward?.trace_id}-${forward?.span_id}-01`);
  });
});

const newest = MATRIX.filter(({ client, agent }) => client.version === '1.0' && agent.endsWith('1.0'));
describe.each(newest)('a client and a peer of $name', ({ client: spoken, agent, name }) => {
  it('list the tasks of a context', async () => {
    const client = await sdkClient(server, '1.0', agent, spoken.binding);
    const contextId = `listed for ${name}`;
    const { id } = (await client.sendMessage(say('hello', { contextId }))) as Task;
    const { tasks } = await client.listTasks({
      tenant: '',
      contextId,
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageSize: 10,
      pageToken: '',
      historyLength: undefined,
      statusTimestampAfter: undefined,
      includeArtifacts: undefined,
    });
    expect(tasks.map((task) => task.id)).toEqual([id]);
  });
});

describe.each([
  ['rest-0.3', 'v1/message', 'content'],
  ['rest-1.0', 'message', 'parts'],
])('HTTP+JSON to a peer of %s', (agent, path, parts) => {
  it.each(['send', 'stream'])('is passed on byte for byte: %s', async (verb) => {
    const message = { messageId: 'm', role: 'ROLE_USER', [parts]: [{ text: 'byte  for  byte' }] };
    const body = `  ${JSON.stringify({ message })}\n`;
    const response = await relayFetch(server)(`${server.url}/a2a/${agent}/${path}:${verb}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': agent.slice('rest-'.length) },
      body,
    });
    const answer = await response.text();
    expect(answer).toContain('byte  for  byte');
    expect(peers.get(agent)?.bodies.at(-1)).toBe(body);
    expect(peers.get(agent)?.answers.at(-1)).toBe(answer);
  });
});

async function spansOf(sessionId: string) {
  const { items } = await server.client.call('relay.spans', { session_id: sessionId });
  return items;
}
