import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ed25519 } from '../../src/platform/index.ts';
import { fakeClock } from '../../src/platform/testing.ts';
import { ed25519ToMultibase } from '../../src/slices/memory/registry/multibase.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { createSignedAgent } from './signed-agent.ts';

const USER = 'did:a2p:user:local:ana';
const AGENT = 'did:a2p:agent:acme:helper';
const HOUR = 3600;

describe('keys rotate, the DID does not', () => {
  const clock = fakeClock('2026-03-04T12:00:00Z');
  const [first, second, third] = [ed25519.generate(), ed25519.generate(), ed25519.generate()];
  const multibase = ({ publicKey }: typeof first) => ed25519ToMultibase(publicKey);
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({}, { clock });
    await server.client.call('memory.profile.import', {
      document: {
        id: USER,
        identity: {
          did: USER,
          publicKeys: [
            { id: `${USER}#p256`, type: 'P-256', publicKeyMultibase: 'zOther' },
            { id: `${USER}#key-1`, type: 'Ed25519', publicKeyMultibase: multibase(first) },
          ],
        },
        accessPolicies: [
          { id: 'policy_1', agentPattern: '*', permissions: ['read_scoped'], allow: ['a2p:preferences.*'] },
        ],
      },
    });
    await server.client.call('memory.agent.put', { did: AGENT, public_key: multibase(first) });
  });
  afterAll(() => server.close());

  const path = `/a2p/v1/profile/${USER}/memories`;
  const status = async (did: string, { seed }: typeof first) =>
    (await createSignedAgent(server, did, seed, clock)('GET', path)).status;
  const statuses = async (did: string) => [
    await status(did, first),
    await status(did, second),
    await status(did, third),
  ];

  it.each([AGENT, USER])(
    '%s: the old key holds through the overlap, and a revoked one not at all',
    async (did) => {
      const rotate = (key: typeof first, overlap_seconds?: number) =>
        server.client.call('memory.key.rotate', {
          did,
          public_key: multibase(key),
          ...(overlap_seconds !== undefined && { overlap_seconds }),
        });
      expect(await statuses(did)).toEqual([200, 401, 401]);
      const { keys } = await rotate(second, HOUR);
      expect(keys.at(-1)).toMatchObject({ id: 'key-2', type: 'Ed25519' });
      expect(await statuses(did)).toEqual([200, 200, 401]);
      clock.advance({ seconds: HOUR });
      expect(await statuses(did)).toEqual([401, 200, 401]);
      await rotate(third, 0);
      expect(await statuses(did)).toEqual([401, 401, 200]);
      await server.client.call('memory.key.revoke', { did, key_id: 'key-3' });
      expect(await statuses(did)).toEqual([401, 401, 401]);
      await expect(rotate(third)).rejects.toMatchObject({ code: 'A2P006' });
    },
  );

  it('says so on the record and in the DID document, and keeps keys of other kinds', async () => {
    const { events } = await server.app.feed.page({
      types: ['memory.key_rotated', 'memory.key_revoked'],
      limit: 100,
      after: 0,
    });
    expect(events.map(({ event }) => event.event_type)).toEqual(
      [AGENT, USER].flatMap(() => ['memory.key_rotated', 'memory.key_rotated', 'memory.key_revoked']),
    );
    const agent = createSignedAgent(server, AGENT, first.seed, clock);
    await server.client.call('memory.key.rotate', {
      did: AGENT,
      public_key: multibase(ed25519.generate()),
      overlap_seconds: 0,
    });
    expect((await agent('GET', `/a2p/v1/did/${AGENT}`)).status).toBe(401);
    const document = await server.fetch(`/a2p/v1/did/${AGENT}`).then((response) => response.json());
    expect(document.data.verificationMethod).toMatchObject([{ id: `${AGENT}#key-4`, controller: AGENT }]);
    const exported = await server.client.call('memory.profile.export', { profile: USER });
    expect((exported.identity as { publicKeys: object[] }).publicKeys[0]).toEqual({
      id: `${USER}#p256`,
      type: 'P-256',
      publicKeyMultibase: 'zOther',
    });
  });

  it('lets nobody rotate the key of a DID that is not theirs, known or not', async () => {
    const code = (did: string) =>
      server.client.call('memory.key.rotate', { did, public_key: multibase(ed25519.generate()) }).then(
        () => 'ok',
        (error) => error.code,
      );
    expect(await code('did:a2p:agent:acme:stranger')).toBe('A2P004');
    expect(await code('did:a2p:user:local:nobody')).toBe('A2P004');
  });
});
