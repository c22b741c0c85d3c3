import { type Message, type Task, TaskState } from '@a2a-js/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { artifactText, say, sdkClient } from './sdk-client.ts';
import { type SdkPeer, startSdkPeer, type Version } from './sdk-peer.ts';

let server: TestServer;
const peers = new Map<Version, SdkPeer>();
beforeAll(async () => {
  server = await startTestServer();
  for (const version of ['0.3', '1.0'] as const) {
    const peer = await startSdkPeer(version);
    peers.set(version, peer);
    await server.client.call('relay.peer.register', { id: `echo-${version}`, url: peer.url });
  }
});
afterAll(async () => {
  await server.close();
  for (const peer of peers.values()) await peer.close();
});

const VERSIONS = ['0.3', '1.0'] as const;
const matrix = (['JSONRPC', 'HTTP+JSON'] as const).flatMap((binding) =>
  VERSIONS.flatMap((client) => VERSIONS.map((peer) => [client, binding, peer] as const)),
);

describe.each(matrix)('a client of %s over %s and a peer of %s', (clientVersion, binding, peerVersion) => {
  const agent = `echo-${peerVersion}`;

  it('send and get a task', async () => {
    const client = await sdkClient(server, clientVersion, agent, binding);
    const task = (await client.sendMessage(say('hello'))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(artifactText(task)).toBe('echo: hello!');
    const again = await client.getTask({ tenant: '', id: task.id, historyLength: undefined });
    expect(again.id).toBe(task.id);
    expect(peers.get(peerVersion)?.seen.at(-1)?.authorization).toBe('Bearer for-the-peer');
    expect(peers.get(peerVersion)?.seen.at(-1)?.['x-baton-key']).toBeUndefined();
  });

  it('stream every event in order', async () => {
    const client = await sdkClient(server, clientVersion, agent, binding);
    const events: string[] = [];
    let text = '';
    for await (const { payload } of client.sendMessageStream(say('stream'))) {
      events.push(payload?.$case ?? '');
      if (payload?.$case === 'artifactUpdate') {
        text += payload.value.artifact?.parts
          .map(({ content }) => (content?.$case === 'text' ? content.value : ''))
          .join('');
      }
    }
    expect(events[0]).toBe('task');
    expect(events.at(-1)).toBe('statusUpdate');
    expect(text).toBe('echo: stream!');
  });

  it('get a message instead of a task', async () => {
    const client = await sdkClient(server, clientVersion, agent, binding);
    const reply = (await client.sendMessage(say('message'))) as Message;
    expect(reply.parts.map(({ content }) => content?.value)).toEqual(['just a message']);
  });

  it('cancel a task that waits, and not one that is done', async () => {
    const client = await sdkClient(server, clientVersion, agent, binding);
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

  it('are told of a task that does not exist', async () => {
    const client = await sdkClient(server, clientVersion, agent, binding);
    await expect(client.getTask({ tenant: '', id: 'nothing', historyLength: undefined })).rejects.toThrow(
      /not found/i,
    );
  });

  it('set, read, list and delete push notifications', async () => {
    const client = await sdkClient(server, clientVersion, agent, binding);
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
    const peer = peers.get(peerVersion)!;
    const contextId = `spans-${clientVersion}-${binding}-${peerVersion}`;
    const client = await sdkClient(server, clientVersion, agent, binding);
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
    expect(peer.seen.at(-1)?.traceparent).toBe(`00-${forward?.trace_id}-${forward?.span_id}-01`);
  });
});

async function spansOf(sessionId: string) {
  const { items } = await server.client.call('relay.spans', { session_id: sessionId });
  return items;
}
