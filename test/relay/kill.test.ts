import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KillableServer, startKillableServer } from '../setup/killable-server.ts';
import { type SdkPeer, startSdkPeer } from './sdk-peer.ts';

const KILLS = process.env.BATON_PROVE === '1' ? 50 : 3;

let dataDir: string;
let peer: SdkPeer;
const children: ChildProcess[] = [];
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'baton-relay-kill-'));
  peer = await startSdkPeer('0.3');
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await peer.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function startServer(): Promise<KillableServer> {
  const server = await startKillableServer(dataDir);
  children.push(server.child);
  return server;
}

function say(server: KillableServer, method: string, text: string, contextId: string): Promise<Response> {
  const message = {
    kind: 'message',
    messageId: 'm',
    role: 'user',
    contextId,
    parts: [{ kind: 'text', text }],
  };
  return fetch(`${server.url}/a2a/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-baton-key': server.token },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message } }),
  });
}

async function taskSpans(server: KillableServer, sessionId: string) {
  const { items } = await server.client.call('relay.spans', { session_id: sessionId });
  return items.filter(({ name }) => name === 'a2a.task');
}

it('a relay that is killed leaves one span of whatever it had answered or begun, and knows whose its tasks were', async () => {
  let server = await startServer();
  await server.client.call('relay.peer.register', { id: 'echo', url: peer.url });
  for (let round = 0; round < KILLS; round += 1) {
    const stream = await say(server, 'message/stream', 'wait', `open-${round}`);
    const first = new TextDecoder().decode((await stream.body!.getReader().read()).value);
    const running = /"id":"([0-9a-f-]{36})"/.exec(first)?.[1];
    const answered = (await (await say(server, 'message/send', 'hello', `answered-${round}`)).json()) as {
      result: { id: string };
    };
    await server.kill();
    server = await startServer();
    await expect.poll(() => taskSpans(server, `open-${round}`)).toHaveLength(1);
    await expect.poll(() => taskSpans(server, `answered-${round}`)).toHaveLength(1);
    const [open] = await taskSpans(server, `open-${round}`);
    expect(open).toMatchObject({
      status: 'error',
      attributes: { 'o2r.relay.recovered': true, 'o2r.relay.failure_class': 'recovered' },
    });
    const { items: tasks } = await server.client.call('relay.tasks', {});
    const owners = Object.fromEntries(tasks.map(({ task_id, peer_id }) => [task_id, peer_id]));
    expect(owners).toMatchObject({ [running!]: 'echo', [answered.result.id]: 'echo' });
  }
  await expect.poll(async () => (await readdir(join(dataDir, 'relay'))).length).toBeLessThanOrEqual(1);
  await server.kill();
});
