import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ed25519 } from '../../src/platform/index.ts';
import { ed25519ToMultibase } from '../../src/slices/memory/registry/multibase.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { createSignedAgent } from './signed-agent.ts';

/** As long as each other, so that even the length of an answer could not tell. */
const KNOWN = 'did:a2p:user:local:known';
const NOBODY = 'did:a2p:user:local:nobod';
const AGENT = 'did:a2p:agent:acme:helper';

/** Right and wrong requests alike: what is wrong with one must not be found later for one DID than for the other. */
const requests: readonly (readonly [string, string, object?])[] = [
  ['GET', '/a2p/v1/profile/{did}'],
  ['GET', '/a2p/v1/profile/{did}?scopes=a2p:preferences'],
  ['GET', '/a2p/v1/profile/{did}:work'],
  ['GET', '/a2p/v1/profile/{did}/memories'],
  ['GET', '/a2p/v1/profile/{did}/memories?query=tea&category=a2p:health'],
  ['GET', '/a2p/v1/profile/{did}/memories?type=wrong'],
  ['GET', '/a2p/v1/profile/{did}/memories?limit=wrong'],
  ['POST', '/a2p/v1/profile/{did}/access', { scopes: ['a2p:preferences'], purpose: 'analysis' }],
  ['POST', '/a2p/v1/profile/{did}/access', { scopes: ['a2p:health'], purpose: { legalBasis: 'wrong' } }],
  ['POST', '/a2p/v1/profile/{did}/memories/propose', { content: 'x', category: 'a2p:health' }],
  ['POST', '/a2p/v1/profile/{did}/memories/propose', { content: 'x', memory_type: 'wrong' }],
  ['POST', '/a2p/v1/profile/{did}/memories/propose', { content: '' }],
  ['POST', '/a2p/v1/profile/{did}/memories/propose', { kind: 'reclassification', targetMemoryId: 'mem_1' }],
  ['GET', '/a2p/v1/profile/{did}/proposals'],
  ['GET', '/a2p/v1/profile/{did}/proposals?status=wrong'],
  ['POST', '/a2p/v1/profile/{did}/proposals/prop_1/review', { action: 'approve' }],
  ['POST', '/a2p/v1/profile/{did}/proposals/prop_1/withdraw'],
  ['GET', '/a2p/v1/did/{did}'],
  ['GET', '/a2p/v1/agents/{did}'],
  ['GET', '/v1/memory/recall?query=tea&profile={did}'],
  ['GET', '/v1/memory/recall?query=tea&as_of=2026-01-01T00:00:00Z&profile={did}'],
  ['GET', '/v1/memory/recall?query=tea&as_of=wrong&profile={did}'],
  ['GET', '/v1/memory/access/mine?profile={did}'],
  ['GET', '/v1/memory/proposals?profile={did}'],
  ['GET', '/v1/memory/proposals?status=wrong&profile={did}'],
  ['POST', '/v1/memory/proposals', { profile: '{did}', content: 'x' }],
  ['POST', '/v1/memory/proposals', { profile: '{did}', content: 'x', memory_type: 'wrong' }],
  ['POST', '/v1/memory/proposals/prop_1/withdraw?profile={did}'],
  ['GET', '/v1/memory/memories?profile={did}'],
  ['GET', '/v1/memory/memories/mem_1?profile={did}'],
  ['GET', '/v1/memory/export?profile={did}'],
  ['POST', '/v1/memory/erase', { profile: '{did}', everything: true }],
  ['POST', '/v1/memory/profiles', { did: '{did}' }],
  ['POST', '/v1/memory/import', { id: '{did}', memories: {} }],
  ['POST', '/v1/memory/keys/rotate', { did: '{did}', public_key: 'z6MkNoKey' }],
];

describe('a profile that shares nothing answers like one that does not exist', () => {
  const { seed, publicKey } = ed25519.generate();
  let server: TestServer;
  let keys: Record<string, string>;
  beforeAll(async () => {
    server = await startTestServer();
    const { client } = server;
    await client.call('memory.profile.create', { did: KNOWN, template: 'none' });
    await client.call('memory.add', { content: 'User likes tea', category: 'a2p:preferences' });
    await client.call('memory.agent.put', { did: AGENT, public_key: ed25519ToMultibase(publicKey) });
    const key = async (actor_id: string, actor_type: 'agent' | 'human') =>
      (await client.call('keys.create', { actor_id, actor_type })).token as string;
    keys = { agent: await key('bot', 'agent'), human: await key('ben', 'human') };
  });
  afterAll(() => server.close());

  const fill = (value: string, did: string) => value.replaceAll('{did}', did);
  const told = ({ status, text }: { status: number; text: string }, did: string) => ({
    status,
    text: text.replaceAll(did, 'did').replace(/"(request_id|requestId|timestamp)":"[^"]*"/g, '"$1":""'),
  });

  async function withKey(who: string, method: string, path: string, body: string | undefined, did: string) {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${keys[who]}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    return told({ status: response.status, text: await response.text() }, did);
  }

  it.each(requests.map(([method, path, body]) => ({ method, path, body })))(
    '$method $path $body',
    async ({ method, path, body }) => {
      const answers = async (did: string) => {
        const text = body === undefined ? undefined : fill(JSON.stringify(body), did);
        const got: unknown[] = [];
        for (const who of Object.keys(keys)) got.push(await withKey(who, method, fill(path, did), text, did));
        if (path.startsWith('/a2p')) {
          const send = createSignedAgent(server, AGENT, seed);
          const { status, body: answer } = await send(
            method,
            fill(path, did),
            text === undefined ? undefined : JSON.parse(text),
          );
          got.push(told({ status, text: JSON.stringify(answer) }, did));
        }
        return got;
      };
      const known = await answers(KNOWN);
      expect(known).toEqual(await answers(NOBODY));
      expect(known.filter((each) => (each as { status: number }).status < 400)).toEqual([]);
    },
  );
});
