import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { a2aRequest } from './a2a-request.ts';
import { type Stall, type StallingPeer, startStallingPeer } from './stalling-peer.ts';

/** A relay with little patience, little room and a star, so that each of its limits is reached. */
const SETTINGS = {
  BATON_RELAY_IDLE_SECONDS: '1',
  BATON_RELAY_MAX_CONCURRENT: '2',
  OTEL_A2A_RELAY_STAR_ENFORCE: '1',
};

let server: TestServer;
let peer: StallingPeer;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'baton-limits-'));
  await writeFile(join(dataDir, 'relay.json'), JSON.stringify(SETTINGS));
  server = await startTestServer({ dataDir });
  peer = await startStallingPeer();
  await server.client.call('relay.peer.register', { id: 'stalls', url: peer.url, version: '0.3' });
  for (const id of ['left', 'right'])
    await server.client.call('relay.peer.register', { id, url: peer.url, role: 'worker' });
});
afterAll(async () => {
  await server.close();
  await peer.close();
  await rm(dataDir, { recursive: true, force: true });
});

function post(
  agent: string,
  method: string,
  text: Stall,
  contextId: string,
  more: object = {},
  signal?: AbortSignal,
) {
  return fetch(`${server.url}/a2a/${agent}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-baton-key': server.ownerToken },
    body: a2aRequest(method, text, contextId, more),
    ...(signal && { signal }),
  });
}

async function taskSpan(sessionId: string, name = 'a2a.task') {
  const read = async () =>
    (await server.client.call('relay.spans', { session_id: sessionId })).items.find(
      (span) => span.name === name,
    );
  await expect.poll(read).toBeDefined();
  return read();
}

const failed = (failureClass: string) => ({
  status: 'error',
  attributes: { 'o2r.relay.failure_class': failureClass, 'o2r.task.state': 'failed' },
});

describe('a peer that does not go on', () => {
  it('breaks off in the middle of its answer: peer_disconnect', async () => {
    const answer = await (await post('stalls', 'message/send', 'half-answer', 'half-answer')).json();
    expect(answer).toMatchObject({ id: 7, error: { code: -32011, data: [{ reason: 'PEER_DISCONNECT' }] } });
    expect(await taskSpan('half-answer')).toMatchObject(failed('peer_disconnect'));
  });

  it('falls silent in the middle of a stream: timeout, said before the stream closes', async () => {
    const text = await (await post('stalls', 'message/stream', 'silent-stream', 'silent')).text();
    expect(text).toContain('"state":"working"');
    expect(text).toContain('"code":-32011');
    expect(text).toContain('TIMEOUT');
    expect(await taskSpan('silent')).toMatchObject(failed('timeout'));
  });

  it('refuses the version: its own error goes through unchanged', async () => {
    const response = await post('stalls', 'message/send', 'wrong-version', 'version');
    expect(await response.text()).toBe(
      '{"jsonrpc":"2.0","id":7,"error":{"code":-32009,"message":"Only 1.0 is spoken here."}}',
    );
    expect(await taskSpan('version')).toMatchObject(failed('peer_jsonrpc_error'));
  });
});

describe('the relay itself', () => {
  it('refuses what goes around the orchestrator, sent or streamed', async () => {
    for (const method of ['message/send', 'message/stream']) {
      const metadata = { 'agent.id': 'left' };
      const response = await post('right', method, 'never', `star-${method}`, { metadata });
      expect(await response.json()).toMatchObject({
        error: { code: -32010, data: [{ reason: 'TOPOLOGY_VIOLATION' }] },
      });
      expect(await taskSpan(`star-${method}`, 'a2a.relay.reject')).toMatchObject({
        status: 'error',
        attributes: { 'o2r.relay.failure_class': 'topology_violation', 'o2r.method': method },
      });
    }
    expect(peer.held).toBe(0);
  });

  it('notes a caller that leaves, and lets go of the peer', async () => {
    const leaving = new AbortController();
    const gone = post('stalls', 'message/send', 'never', 'gone', {}, leaving.signal).catch(() => 'left');
    await expect.poll(() => peer.held).toBe(1);
    leaving.abort();
    expect(await gone).toBe('left');
    await expect.poll(() => peer.held).toBe(0);
    expect(await taskSpan('gone')).toMatchObject({
      status: 'error',
      attributes: { 'o2r.relay.failure_class': 'client_disconnect', 'o2r.relay.client_gone': true },
    });
  });

  it('says that it is full, and has room again afterwards', async () => {
    const leaving = new AbortController();
    const waiting = [1, 2].map(() =>
      post('stalls', 'message/send', 'never', 'full', {}, leaving.signal).catch(() => undefined),
    );
    await expect.poll(() => peer.held).toBe(2);
    const refused = await post('stalls', 'message/send', 'wrong-version', 'full');
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: { data: [{ reason: 'RELAY_OVERLOAD' }] } });
    leaving.abort();
    await Promise.all(waiting);
    await expect
      .poll(async () => (await post('stalls', 'message/send', 'wrong-version', 'full')).status)
      .toBe(200);
  });
});
