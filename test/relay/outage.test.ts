import { describe, expect, it } from 'vitest';
import { startTestServer } from '../setup/server.ts';
import { a2aRequest } from './a2a-request.ts';
import { chunkText, startChunkPeer } from './chunk-peer.ts';
import { runOutage } from './outage-run.ts';

const CHUNKS = 5_000;
const EVENT_BUDGET = 128;

describe('a collector that goes away', () => {
  it('gets every span once when it is back, and keeps nobody waiting', async () => {
    const result = await runOutage({ perSecond: 50, upSeconds: 1, downSeconds: 2 });
    expect(result).toMatchObject({ sent: 170, lost: 0, duplicated: 0, dropped: 0 });
    expect(result.stored).toBe(170 * 3);
  });

  it('or is only slow gets what came while it was busy', async () => {
    const result = await runOutage({ perSecond: 20, upSeconds: 2, downSeconds: 0, slowMs: 400 });
    expect(result).toMatchObject({ sent: 60, stored: 180, lost: 0, duplicated: 0 });
  });
});

describe('a stream of five thousand pieces', () => {
  it('keeps both of its state changes and all of its text, within the budget of a span', async () => {
    const server = await startTestServer();
    const peer = await startChunkPeer(CHUNKS);
    await server.client.call('relay.peer.register', { id: 'long', url: peer.url, version: '0.3' });
    const response = await fetch(`${server.url}/a2a/long`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-baton-key': server.ownerToken },
      body: a2aRequest('message/stream', 'go', 'long'),
    });
    expect((await response.text()).match(/artifact-update/g)).toHaveLength(CHUNKS);
    const read = async () => (await server.client.call('relay.spans', { session_id: 'long' })).items;
    await expect.poll(async () => (await read()).length).toBe(3);
    const spans = await read();
    const task = spans.find(({ name }) => name === 'a2a.task');
    const events = (name: string) => task?.events.filter((event) => event.name === name) ?? [];
    expect(events('o2r.task.state_change').map(({ attributes }) => [attributes.from, attributes.to])).toEqual(
      [
        ['submitted', 'working'],
        ['working', 'completed'],
      ],
    );
    expect(task?.events.length).toBeLessThanOrEqual(EVENT_BUDGET);
    const text = events('a2a.message.stream_chunk')
      .map(({ attributes }) => attributes.text)
      .join('');
    expect(text).toBe(chunkText(CHUNKS));
    const reply = spans.find(({ name }) => name === 'a2a.message.send');
    expect(JSON.parse(String(reply?.attributes['output.value']))).toEqual({
      role: 'agent',
      parts: [{ kind: 'text', text }],
    });
    await server.close();
    await peer.close();
  });
});
