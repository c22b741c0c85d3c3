import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../packages/client/src/operations.ts';
import type { Operation } from '../../src/spine/operations/define.ts';
import { type FuzzedRequest, fuzzedRequests, RAW_CONNECTIONS } from './fuzzed-requests.ts';
import { startWatchedServer, type WatchedServer } from './watched-server.ts';

const PROVING = process.env.BATON_PROVE === '1';
const REQUESTS = PROVING ? 50_000 : 1_500;
const BATCH = 250;
const AT_ONCE = 12;
const PATIENCE_MS = 60_000;
const MEGABYTE = 1024 ** 2;
/** Of CPU time, which grows too where other programs take the caches: a run beside them notices only what is far off. */
const MOST_BUSY_MS = PROVING ? 100 : 200;
/**
 * More than after the first thousand requests, which load and compile what all others use. Two things are held to it:
 * what is live after a full collection, at the end of every batch, since only that can grow without end; and what the whole
 * process has in the end. A long run first waits, before and after, until the threads of expensive work have ended, which
 * have a budget of their own: else the one measurement might have them and the other not. In between the process may have
 * more, threads and garbage that no collection has needed to look at yet. That peak is printed.
 */
const MOST_MEMORY = 64 * MEGABYTE;
const UNTIL_IDLE_MS = PROVING ? 35_000 : 0;

const megabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;

/** A long run goes where none has been; an ordinary one must say the same each time. */
const seed = Number(process.env.BATON_SEED ?? (PROVING ? Date.now() % 1_000_000_000 : 20_261_118));

/** An optional part of a protocol that is not there says so with 501: that is an answer, not a failure. */
function declaresNotImplemented({ label }: FuzzedRequest): boolean {
  return (operations as Record<string, Operation>)[label]?.errors.includes('not_implemented') ?? false;
}

describe(`${REQUESTS} requests that no client would send (BATON_SEED=${seed})`, () => {
  let server: WatchedServer;
  let agentKey: string;
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  beforeAll(async () => {
    server = await startWatchedServer();
    const made = await server.fetch('/v1/keys', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actor_id: 'fuzz-bot', actor_type: 'agent' }),
    });
    agentKey = ((await made.json()) as { token: string }).token;
  });
  afterAll(async () => {
    agent.destroy();
    await server.close();
  });

  /** The status; 0 where the server closed the connection, as it may on what is no HTTP. */
  function send(given: FuzzedRequest): Promise<number> {
    return new Promise((resolve, reject) => {
      const target = new URL(server.url);
      const late = setTimeout(() => {
        outgoing.destroy();
        reject(
          new Error(
            `no answer: ${given.label} ${given.method} ${given.path.slice(0, 200)} ${JSON.stringify(given.headers).slice(0, 300)} ${preview(given)}`,
          ),
        );
      }, PATIENCE_MS);
      const done = (status: number) => {
        clearTimeout(late);
        resolve(status);
      };
      const outgoing = request(
        {
          host: target.hostname,
          port: target.port,
          agent,
          method: given.method,
          path: given.path.replace(/[^\x21-\x7e]/g, '%20'),
          headers: {
            ...given.headers,
            ...(given.body && !given.chunked && { 'content-length': given.body.byteLength }),
          },
        },
        (response) => {
          const status = response.statusCode ?? 0;
          const streams = /event-stream/.test(String(response.headers['content-type']));
          if (streams) {
            // It has no end: that it began is what counts.
            response.destroy();
            done(status);
            return;
          }
          response.resume();
          response.once('end', () => done(status));
          response.once('error', () => done(status));
        },
      );
      outgoing.once('error', () => done(0));
      outgoing.end(given.body);
    });
  }

  async function sendRaw(text: string): Promise<void> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    await once(socket, 'connect').catch(() => undefined);
    socket.write(Buffer.from(text, 'latin1'));
    socket.resume();
    setTimeout(() => socket.destroy(), 200);
    await closed;
  }

  async function sendAll(requests: readonly FuzzedRequest[]): Promise<string[]> {
    const wrong: string[] = [];
    const left = [...requests];
    const worker = async () => {
      for (let next = left.pop(); next; next = left.pop()) {
        const status = await send(next);
        if (status >= 500 && !(status === 501 && declaresNotImplemented(next)))
          wrong.push(`${status} ${next.label} ${next.method} ${next.path.slice(0, 200)} ${preview(next)}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return wrong;
  }

  const preview = ({ body }: FuzzedRequest) => (body ? Buffer.from(body.slice(0, 300)).toString() : '');

  it('get an answer below 500, hold nobody up, and leave no memory behind', async () => {
    const requests = fuzzedRequests({ owner: server.token, agent: agentKey });
    const sample = (count: number, at: number) => fc.sample(requests, { numRuns: count, seed: seed + at });
    // What the first requests load and compile is no leak and no stall.
    expect(await sendAll(sample(Math.min(1_000, REQUESTS / 3), -1))).toEqual([]);
    for (const text of RAW_CONNECTIONS) await sendRaw(text);
    await sleep(UNTIL_IDLE_MS);
    const before = await server.measure();
    const busy: string[] = [];
    let longest = 0;
    let peak = 0;
    let live = 0;
    for (let sent = 0; sent < REQUESTS; sent += BATCH) {
      await server.reset();
      const batch = sample(Math.min(BATCH, REQUESTS - sent), sent);
      expect(await sendAll(batch)).toEqual([]);
      await sendRaw(RAW_CONNECTIONS[(sent / BATCH) % RAW_CONNECTIONS.length] ?? '');
      const measured = await server.measure();
      longest = Math.max(longest, measured.longest);
      peak = Math.max(peak, measured.peak);
      live = Math.max(live, measured.live);
      if (measured.longest > MOST_BUSY_MS)
        busy.push(`${Math.round(measured.longest)} ms in the batch at ${sent}`);
    }
    await sleep(UNTIL_IDLE_MS);
    const after = await server.measure();
    const more = after.rss - before.rss;
    console.log(
      `${REQUESTS} requests: longest turn ${longest.toFixed(1)} ms of CPU; more memory: live ${megabytes(live - before.live)}, process ${megabytes(more)} (peak ${megabytes(peak - before.rss)})`,
    );
    // Whatever a library prints about a broken stream or message is a line of the log too.
    for (const line of server.log) expect(() => JSON.parse(line)).not.toThrow();
    expect(busy).toEqual([]);
    expect(live - before.live).toBeLessThan(MOST_MEMORY);
    expect(more).toBeLessThan(MOST_MEMORY);
    expect((await server.fetch('/v1/health')).status).toBe(200);
  });
});
