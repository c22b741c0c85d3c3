import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ed25519 } from '../../src/platform/index.ts';
import { ed25519ToMultibase } from '../../src/slices/memory/registry/multibase.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { createSignedAgent } from './signed-agent.ts';

const USER = 'did:a2p:user:local:ana';
const AGENT = 'did:a2p:agent:acme:helper';

describe('a2p over HTTP, signed', () => {
  let server: TestServer;
  const { seed, publicKey } = ed25519.generate();

  beforeAll(async () => {
    server = await startTestServer();
    await server.client.call('memory.profile.create', { did: USER, template: 'none' });
    await server.client.call('memory.agent.put', { did: AGENT, public_key: ed25519ToMultibase(publicKey) });
    await server.client.call('memory.policy.put', {
      agentPattern: 'did:a2p:agent:acme:*',
      permissions: ['read_scoped', 'propose'],
      allow: ['a2p:preferences.*'],
    });
  });
  afterAll(() => server.close());

  const send: ReturnType<typeof createSignedAgent> = (...request) =>
    createSignedAgent(server, AGENT, seed)(...request);

  const proposal = {
    content: 'User prefers tea',
    category: 'a2p:preferences.drinks',
    memory_type: 'semantic',
  };
  const propose = `/a2p/v1/profile/${USER}/memories/propose`;

  it('takes a proposal, and answers in the envelope of the protocol', async () => {
    const made = await send('POST', propose, proposal);
    expect(made).toMatchObject({
      status: 201,
      body: { success: true, data: { status: 'pending' }, meta: {} },
    });
    expect(made.headers.get('a2p-version')).toBe('0.1');
    expect(Number(made.headers.get('x-ratelimit-remaining'))).toBeLessThan(90);
    const listed = await send('GET', `/a2p/v1/profile/${USER}/proposals?status=pending`);
    expect(listed.body.data).toMatchObject([
      { agentDid: AGENT, content: 'User prefers tea', memory_type: 'semantic' },
    ]);
    await server.client.call('memory.proposals.review', { id: made.body.data.proposalId, action: 'approve' });
    const read = await send('GET', `/a2p/v1/profile/${USER}/memories?category=a2p:preferences&limit=5`);
    expect(read.body.data).toMatchObject([{ type: 'semantic', memory: { content: 'User prefers tea' } }]);
    const receipt = await send('POST', `/a2p/v1/profile/${USER}/access`, {
      scopes: ['a2p:preferences', 'a2p:health'],
      purpose: { type: 'support', description: 'Help', legalBasis: 'consent' },
    });
    expect(receipt.body.data).toMatchObject({
      grantedScopes: ['a2p:preferences'],
      deniedScopes: ['a2p:health'],
      purpose: { type: 'service_delivery' },
    });
  });

  it.each([
    ['a changed body', { tamper: true }, 401, 'A2P001'],
    ['an old timestamp', { ts: '2020-01-01T00:00:00Z' }, 401, 'A2P007'],
    ['a short nonce', { nonce: 'abc' }, 401, 'A2P009'],
    ['an unknown DID', { did: 'did:a2p:agent:acme:other' }, 401, 'A2P001'],
    ['a DID without a namespace', { did: 'did:a2p:agent:other' }, 400, 'A2P010'],
  ] as const)('refuses %s', async (_, change, status, code) => {
    expect(await send('POST', propose, proposal, change)).toMatchObject({
      status,
      body: { success: false, error: { code } },
    });
  });

  it('refuses a nonce that was used before', async () => {
    const nonce = 'abcdefghijklmnop0123';
    const path = `/a2p/v1/profile/${USER}/memories`;
    expect((await send('GET', path, undefined, { nonce })).status).toBe(200);
    expect(await send('GET', path, undefined, { nonce })).toMatchObject({
      status: 401,
      body: { error: { code: 'A2P008' } },
    });
  });

  it('says the same of a profile that does not exist as of one that shares nothing', async () => {
    const unknown = await send('GET', '/a2p/v1/profile/did:a2p:user:local:nobody/memories');
    expect(unknown).toMatchObject({ status: 403, body: { success: false, error: { code: 'A2P004' } } });
    expect(await send('GET', '/a2p/v1/profile/nonsense/memories')).toMatchObject({
      status: 400,
      body: { error: { code: 'A2P010' } },
    });
  });

  it('tells where it is spoken', async () => {
    const response = await fetch(`${server.url}/.well-known/a2p-profile.json`);
    expect(await response.json()).toMatchObject({ protocolVersion: '0.1.0', endpoint: '/a2p/v1' });
  });
});
