import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KillableServer, startKillableServer } from '../setup/killable-server.ts';
import { a2aRequest } from './a2a-request.ts';
import { type SdkPeer, startSdkPeer } from './sdk-peer.ts';
import { type StallingPeer, startStallingPeer } from './stalling-peer.ts';

const KILLS = process.env.BATON_PROVE === '1' ? 20 : 5;
const SENDERS = 8;
const STREAMS = 3;
/** So many answered before each kill, and some more in flight. */
const ANSWERED = 40;

let dataDir: string;
let peer: SdkPeer;
let silent: StallingPeer;
const children: ChildProcess[] = [];
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'baton-relay-kills-'));
  peer = await startSdkPeer('0.3');
  silent = await startStallingPeer();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await peer.close();
  await silent.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function startServer() {
  const server = await startKillableServer(dataDir);
  children.push(server.child);
  return {
    ...server,
    ask: (agent: string, method: string, text: string, contextId: string) =>
      fetch(`${server.url}/a2a/${agent}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-baton-key': server.token },
        body: a2aRequest(method, text, contextId),
      }),
  };
}

type Client = KillableServer['client'];

/** The relay's own span of every task, by session: a session here is one exchange. */
async function taskSpans(client: Client): Promise<Map<string, { finished: number; recovered: number }>> {
  const found = new Map<string, { finished: number; recovered: number }>();
  for (let after = 0; ; ) {
    const page = await client.call('relay.spans', { after, limit: 1000 });
    if (page.items.length === 0) return found;
    after = page.next;
    for (const { name, attributes } of page.items) {
      if (name !== 'a2a.task') continue;
      const session = String(attributes['session.id']);
      const seen = found.get(session) ?? { finished: 0, recovered: 0 };
      seen[attributes['o2r.relay.recovered'] === true ? 'recovered' : 'finished'] += 1;
      found.set(session, seen);
    }
  }
}

describe('a relay killed in the middle of its work', () => {
  it(`keeps every finished span and closes every open one, ${KILLS} times`, {
    timeout: 900_000,
  }, async () => {
    const answered: string[] = [];
    const finished = new Set<string>();
    const open: string[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      const server = await startServer();
      if (round === 0) {
        await server.client.call('relay.peer.register', { id: 'echo', url: peer.url });
        await server.client.call('relay.peer.register', { id: 'silent', url: silent.url, version: '0.3' });
      }
      const wanted = answered.length + ANSWERED;
      let running = true;
      const senders = Array.from({ length: SENDERS }, async (_, sender) => {
        for (let n = 0; running; n += 1) {
          const session = `${round}-${sender}-${n}`;
          try {
            const text = await (await server.ask('echo', 'message/send', 'hello', session)).text();
            if (text.includes('"completed"')) answered.push(session);
          } catch {
            // Not answered: it may have left a span or not.
            return;
          }
        }
      });
      for (let n = 0; n < STREAMS; n += 1) {
        const session = `${round}-stream-${n}`;
        const stream = await server.ask('silent', 'message/stream', 'silent-stream', session);
        await stream.body?.getReader().read();
        open.push(session);
      }
      await expect.poll(() => answered.length, { interval: 5 }).toBeGreaterThan(wanted);
      for (const [session, seen] of await taskSpans(server.client))
        if (seen.finished > 0) finished.add(session);
      await server.kill();
      running = false;
      await Promise.all(senders);
    }
    const server = await startServer();
    await expect
      .poll(
        async () => {
          const found = await taskSpans(server.client);
          return open.filter((session) => found.get(session)?.recovered !== 1);
        },
        { interval: 500 },
      )
      .toEqual([]);
    const found = await taskSpans(server.client);
    const recovered = [...found.values()].filter((seen) => seen.recovered > 0).length;
    console.info(
      `${KILLS} kills: ${answered.length} exchanges answered, ${finished.size} of them seen as finished, ${open.length} streams open; ${found.size} tasks kept, ${recovered} of them recovered`,
    );
    expect(finished.size).toBeGreaterThan(KILLS);
    expect([...finished].filter((session) => found.get(session)?.finished !== 1)).toEqual([]);
    expect(answered.filter((session) => !found.has(session))).toEqual([]);
    // Each exchange is told of once: as finished, or as interrupted.
    expect([...found].filter(([, seen]) => seen.finished + seen.recovered !== 1)).toEqual([]);
    await server.kill();
  });
});
