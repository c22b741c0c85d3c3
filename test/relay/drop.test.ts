import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { holdPieces } from './held-pieces.ts';
import { say, sdkClient } from './sdk-client.ts';
import { wordsOf } from './sdk-message.ts';
import type { SdkPeer } from './sdk-peer.ts';
import { MATRIX, startSpeakingPeers } from './speeches.ts';
import { watchCallers } from './watch-callers.ts';

let server: TestServer;
let peers: ReadonlyMap<string, SdkPeer>;
const pieces = holdPieces();
beforeAll(async () => {
  server = await startTestServer();
  peers = await startSpeakingPeers(server, pieces);
});
afterAll(async () => {
  await server.close();
  for (const peer of peers.values()) await peer.close();
});

describe.each(MATRIX)('a caller that drops: client and peer of $name', ({ client: spoken, agent, name }) => {
  it('comes back and has missed nothing and got nothing twice', async () => {
    const client = await sdkClient(server, spoken.version, agent, spoken.binding);
    pieces.hold();
    const callers = watchCallers(`/a2a/${agent}`);
    const gone = new AbortController();
    const heard: string[] = [];
    let id = '';
    const stream = client.sendMessageStream(say('long', { contextId: name }), { signal: gone.signal });
    await expect(async () => {
      for await (const { payload } of stream) {
        if (payload?.$case === 'task') id = payload.value.id;
        if (payload?.$case !== 'artifactUpdate') continue;
        heard.push(wordsOf(payload.value.artifact?.parts));
        gone.abort();
      }
    }).rejects.toThrow();
    expect(heard).toEqual(['echo: ']);
    await callers.allGone();
    const answers = peers.get(agent)?.answers ?? [];
    const before = answers.length;
    pieces.release();
    await expect.poll(() => answers.length).toBe(before + 1);

    const seen: string[] = [];
    for await (const { payload } of client.resubscribeTask({ tenant: '', id })) {
      seen.push(payload?.$case ?? '');
      if (payload?.$case === 'artifactUpdate') heard.push(wordsOf(payload.value.artifact?.parts));
    }
    expect(heard).toEqual(['echo: ', 'long', '!']);
    expect(seen).toEqual(['task', 'artifactUpdate', 'artifactUpdate', 'statusUpdate']);
  });
});
