import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readEvents } from '../../packages/client/src/sse.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { aPackage, worldOf } from './world.ts';

const EVERY_ID = Array.from({ length: 30 }, (_, i) => `e${i}`);

it('a follower that resumes across a restart of the server misses nothing and sees nothing twice', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'baton-restart-'));
  const put = (server: TestServer, id: string) =>
    worldOf(server).send('POST', '/v1/projects/p/packages', aPackage(id));
  const follow = async (server: TestServer, after: string | undefined, most: number) => {
    const stop = new AbortController();
    const response = await fetch(`${server.url}/v1/projects/p/events?types=package.deposited`, {
      headers: {
        authorization: `Bearer ${server.ownerToken}`,
        ...(after !== undefined && { 'last-event-id': after }),
      },
      signal: stop.signal,
    });
    const seen: { seq: string; id: string }[] = [];
    for await (const { id, data } of readEvents(response.body as ReadableStream<Uint8Array>)) {
      seen.push({ seq: id, id: JSON.parse(data).ids.package_id });
      if (seen.length === most) break;
    }
    stop.abort();
    return seen;
  };
  try {
    const first = await startTestServer({ dataDir });
    for (const id of EVERY_ID.slice(0, 20)) await put(first, id);
    const before = await follow(first, undefined, 7);
    await first.close();
    const second = await startTestServer({ dataDir });
    for (const id of EVERY_ID.slice(20)) await put(second, id);
    const after = await follow(second, before.at(-1)?.seq, 23);
    await second.close();
    expect([...before, ...after].map(({ id }) => id)).toEqual(EVERY_ID);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
