import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KillableServer, startKillableServer } from '../setup/killable-server.ts';
import { a2aRequest } from './a2a-request.ts';
import { type SdkPeer, startSdkPeer } from './sdk-peer.ts';
import { type StallingPeer, startStallingPeer } from './stalling-peer.ts';

const KILLS = process.env.BATON_PROVE === '1' ? 50 : 4;
const SENDERS = 16;
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

interface TaskSpans {
  finished: number;
  recovered: number;
  readonly attributes: Record<string, unknown>;
}

/** The relay's own span of every task, by session: a session here is one exchange. */
async function taskSpans(client: Client): Promise<Map<string, TaskSpans>> {
  const found = new Map<string, TaskSpans>();
  for (let after = 0; ; ) {
    const page = await client.call('relay.spans', { after, limit: 1000 });
    if (page.items.length === 0) return found;
    after = page.next;
    for (const { name, attributes } of page.items) {
      if (name !== 'a2a.task') continue;
      const session = String(attributes['session.id']);
      const seen = found.get(session) ?? { finished: 0, recovered: 0, attributes };
      seen[attributes['o2r.relay.recovered'] === true ? 'recovered' : 'finished'] += 1;
      found.set(session, seen);
    }
  }
}

/** What a caller was told, as the span of its exchange has to say it. */
type Told = Record<string, unknown>;

/** By session, from the answer or from the events of a stream. */
function toldBy(answer: string): Told | undefined {
  const results = [...answer.matchAll(/^(?:data: )?({.*})$/gm)].map(([, line]) => JSON.parse(line!).result);
  const last = results.at(-1);
  if (last?.status?.state !== 'completed') return undefined;
  const artifacts = results.flatMap(
    (result) => result.artifacts ?? (result.artifact ? [result.artifact] : []),
  );
  const text = artifacts.flatMap(({ parts }) => parts.map((part: { text: string }) => part.text)).join('');
  return {
    'o2r.task.id': last.id ?? last.taskId,
    'o2r.task.state': 'completed',
    'o2r.message.reply_text': text,
    'o2r.message.reply_digest': createHash('sha256').update(text).digest('hex'),
  };
}

/** How many journal events tell of the end of each task. */
async function endsInJournal(client: Client): Promise<Map<string, number>> {
  const ends = new Map<string, number>();
  for (let after = -1; ; ) {
    const page = await client.call('journal.changes', { after, limit: 1000 });
    if (page.events.length === 0) return ends;
    after = page.next;
    for (const { event } of page.events) {
      if (event.event_type !== 'relay.task_ended') continue;
      const { task_id } = event.payload as { task_id: string };
      ends.set(task_id, (ends.get(task_id) ?? 0) + 1);
    }
  }
}

describe('a relay killed in the middle of its work', () => {
  it(`keeps what every caller was told, once, and closes every open exchange, ${KILLS} times`, {
    timeout: 900_000,
  }, async () => {
    const answered = new Map<string, Told>();
    const open: string[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      const server = await startServer();
      if (round === 0) {
        await server.client.call('relay.peer.register', { id: 'echo', url: peer.url });
        await server.client.call('relay.peer.register', { id: 'silent', url: silent.url, version: '0.3' });
      }
      const wanted = answered.size + ANSWERED;
      let running = true;
      const senders = Array.from({ length: SENDERS }, async (_, sender) => {
        const method = sender % 4 === 0 ? 'message/stream' : 'message/send';
        for (let n = 0; running; n += 1) {
          const session = `${round}-${sender}-${n}`;
          try {
            const told = toldBy(await (await server.ask('echo', method, `hello ${n}`, session)).text());
            if (told) answered.set(session, told);
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
      await expect.poll(() => answered.size, { interval: 5, timeout: 60_000 }).toBeGreaterThan(wanted);
      await server.kill();
      running = false;
      await Promise.all(senders);
    }
    const server = await startServer();
    const notClosed = async () => {
      const found = await taskSpans(server.client);
      return open.filter((session) => found.get(session)?.recovered !== 1);
    };
    await expect.poll(notClosed, { interval: 500, timeout: 120_000 }).toEqual([]);
    const found = await taskSpans(server.client);
    const said = [...answered.keys()].map((session) => {
      const { finished = 0, attributes = {} } = found.get(session) ?? {};
      const names = Object.keys(answered.get(session)!);
      return [session, finished, Object.fromEntries(names.map((name) => [name, attributes[name]]))];
    });
    const recovered = [...found.values()].filter((seen) => seen.recovered > 0).length;
    console.info(
      `${KILLS} kills at ${SENDERS} clients: ${answered.size} exchanges answered, ${open.length} streams open; ${found.size} tasks kept, ${recovered} of them recovered`,
    );
    // Whatever a caller was told stands in exactly one span, as it was told.
    expect(said).toEqual([...answered].map(([session, told]) => [session, 1, told]));
    // Each exchange is told of once: as finished, or as interrupted.
    expect([...found].filter(([, seen]) => seen.finished + seen.recovered !== 1)).toEqual([]);
    const ends = await endsInJournal(server.client);
    expect([...answered.values()].filter((told) => ends.get(String(told['o2r.task.id'])) !== 1)).toEqual([]);
    await server.kill();
  });
});
