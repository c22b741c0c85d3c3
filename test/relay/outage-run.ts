import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../packages/client/src/client.ts';
import { startTestServer } from '../setup/server.ts';
import { a2aRequest } from './a2a-request.ts';
import { sleep, startSdkPeer } from './sdk-peer.ts';
import { startSpanReceiver } from './span-receiver.ts';

export interface OutagePlan {
  readonly perSecond: number;
  /** How long requests come before any is measured: until the engine has compiled its way. */
  readonly warmSeconds?: number;
  /** How long the collector is there before it leaves. */
  readonly upSeconds: number;
  readonly downSeconds: number;
  /** How long the collector takes over each export. */
  readonly slowMs?: number;
}

export interface OutageResult {
  readonly sent: number;
  /** By span id: what is in the relay's own store. */
  readonly stored: number;
  readonly lost: number;
  readonly duplicated: number;
  readonly dropped: number;
  /** Milliseconds of each request while the collector was there, and while it was not. */
  readonly up: readonly number[];
  readonly down: readonly number[];
  readonly rssGrowthBytes: number;
}

const SESSION = 'outage';
const SETTLE_MS = 120_000;

/** The relay that is asked, wherever it runs. */
export interface OutageServer {
  readonly url: string;
  readonly ownerToken: string;
  /** How much memory its process has. */
  rss(): Promise<number>;
  close(): Promise<void>;
}

async function serverInThisProcess(dataDir: string): Promise<OutageServer> {
  const { url, ownerToken, close } = await startTestServer({ dataDir });
  return { url, ownerToken, close, rss: async () => process.memoryUsage.rss() };
}

/** Requests at a steady pace through a relay whose collector goes away and comes back. */
export async function runOutage(
  plan: OutagePlan,
  startServer: (dataDir: string) => Promise<OutageServer> = serverInThisProcess,
): Promise<OutageResult> {
  const receiver = await startSpanReceiver(plan.slowMs);
  const dataDir = await mkdtemp(join(tmpdir(), 'baton-outage-'));
  await writeFile(join(dataDir, 'relay.json'), JSON.stringify({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }));
  const server = await startServer(dataDir);
  const client = createClient({ url: server.url, token: server.ownerToken });
  const peer = await startSdkPeer('0.3');
  try {
    await client.call('relay.peer.register', { id: 'echo', url: peer.url });
    const body = a2aRequest('message/send', 'hello', SESSION);
    const headers = { 'content-type': 'application/json', 'x-baton-key': server.ownerToken };
    const send = async (): Promise<number> => {
      const began = performance.now();
      const response = await fetch(`${server.url}/a2a/echo`, { method: 'POST', headers, body });
      const text = await response.text();
      if (!text.includes('"completed"')) throw new Error(`the relay answered ${response.status}: ${text}`);
      return performance.now() - began;
    };
    const paced = async (seconds: number): Promise<number[]> => {
      const sending: Promise<number>[] = [];
      const began = performance.now();
      for (let at = 0; at < seconds * plan.perSecond; at += 1) {
        const wait = began + (at * 1000) / plan.perSecond - performance.now();
        if (wait > 1) await sleep(wait);
        sending.push(send());
      }
      return Promise.all(sending);
    };

    for (let first = 0; first < 20; first += 1) await send();
    const warm = await paced(plan.warmSeconds ?? 0);
    const up = await paced(plan.upSeconds);
    const rss = await server.rss();
    await receiver.leave();
    const down = await paced(plan.downSeconds);
    const rssGrowthBytes = (await server.rss()) - rss;
    await receiver.comeBack();

    const sent = 20 + warm.length + up.length + down.length;
    const stored = await storedIds(client, sent);
    const status = async () => (await client.call('relay.status', {})).export;
    for (const end = performance.now() + SETTLE_MS; (await status()).waiting > 0 && performance.now() < end; )
      await sleep(100);
    const arrived = new Set(receiver.received);
    return {
      sent,
      stored: stored.size,
      lost: [...stored].filter((id) => !arrived.has(id)).length,
      duplicated: receiver.received.length - arrived.size,
      dropped: (await status()).dropped,
      up,
      down,
      rssGrowthBytes,
    };
  } finally {
    await server.close();
    await peer.close();
    await receiver.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Client = ReturnType<typeof createClient>;

/** Every finished task in the store, waited for: spans follow their answer within milliseconds. */
async function storedIds(client: Client, tasks: number): Promise<Set<string>> {
  const ids = new Set<string>();
  let seen = 0;
  let after = 0;
  for (const end = performance.now() + SETTLE_MS; seen < tasks && performance.now() < end; ) {
    const page = await client.call('relay.spans', { session_id: SESSION, after, limit: 1000 });
    for (const { span_id, name } of page.items) {
      ids.add(span_id);
      if (name === 'a2a.task') seen += 1;
    }
    after = page.next;
    if (page.items.length === 0) await sleep(50);
  }
  if (seen < tasks) throw new Error(`of ${tasks} tasks only ${seen} left a span`);
  return ids;
}
