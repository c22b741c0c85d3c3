import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestServer } from '../setup/server.ts';
import { replayWorld } from './replay-world.ts';
import { type RpcAgent, startRpcAgent } from './rpc-agent.ts';

let dataDir: string;
let agent: RpcAgent;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'baton-replay-'));
  agent = await startRpcAgent();
});
afterEach(async () => {
  await agent.close();
  await rm(dataDir, { recursive: true, force: true });
});

it('a replay ends with its server, and no other server goes on with it', async () => {
  const server = await startTestServer({ dataDir });
  await server.client.call('relay.peer.register', { id: 'agent', url: agent.url });
  const world = replayWorld(server);
  for (const text of ['one', 'two', 'three']) await world.send('agent', text, 'left');
  await world.captured('left', 3);
  const before = agent.seen.length;
  let arrived: () => void = () => undefined;
  const second = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  agent.instead = async () => {
    if (agent.seen.length < before + 2) return false;
    arrived();
    await new Promise(() => undefined);
    return true;
  };
  const { replay_id } = await server.client.call('relay.replay', { session_id: 'left' });
  await second;
  await server.close();
  agent.instead = () => false;
  const next = await startTestServer({ dataDir });
  const page = await next.client.call('relay.replay.show', { replay_id, wait: 1 });
  expect(page).toMatchObject({ state: 'interrupted', sent: 2, skipped: 1 });
  expect(page.steps.map(({ state, reason }) => [state, reason])).toEqual([
    ['sent', undefined],
    ['unknown', 'interrupted'],
    ['skipped', 'stopped'],
  ]);
  expect(agent.seen).toHaveLength(before + 2);
  await next.close();
});
