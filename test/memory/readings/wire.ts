import { expect } from 'vitest';
import { nodeHasher } from '../../../src/platform/node-hasher.ts';
import { fakeClock } from '../../../src/platform/testing.ts';
import { readSignatureHeader, requireFresh, signedDigest } from '../../../src/slices/memory/a2p/rules.ts';
import { parseDid } from '../../../src/slices/memory/did.ts';
import {
  decodeBase58,
  ed25519FromMultibase,
  encodeBase58,
} from '../../../src/slices/memory/registry/multibase.ts';
import { schemaProfile } from '../../../src/slices/memory/transfer/rules.ts';
import { bot, code, type Row } from './fixtures.ts';

export const wireReadings: readonly Row[] = [
  [
    29,
    'documents are 0.1.0 where the schema wants three numbers',
    () => {
      expect(schemaProfile({ id: 'did:a2p:user:local:a', version: '1.0' })).toMatchObject({
        version: '0.1.0',
      });
    },
  ],
  [
    30,
    'a DID has five parts; more only for a person’s sub-profile',
    () => {
      expect(parseDid('did:a2p:user:alice')).toBeUndefined();
      expect(parseDid('did:a2p:user:alice', { lenient: true })).toBeDefined();
      expect(parseDid('did:a2p:user:local:alice:work')).toMatchObject({
        base: 'did:a2p:user:local:alice',
        subProfile: 'work',
      });
      expect(parseDid('did:a2p:agent:local:bot:work')).toBeUndefined();
    },
  ],
  [
    31,
    'what is signed is the digest of five lines, with the hash of the body in lower-case hex',
    () => {
      const signed = { timestamp: 't', nonce: 'n' };
      const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
      expect(
        signedDigest(nodeHasher, { method: 'GET', path: '/p?q=1', body: new Uint8Array() }, signed),
      ).toEqual(nodeHasher.bytes(`GET\n/p?q=1\nt\nn\n${empty}`));
      const key = Uint8Array.from({ length: 32 }, (_, at) => at);
      expect(decodeBase58(encodeBase58(key))).toEqual(key);
      expect(ed25519FromMultibase(`z${encodeBase58(key)}`)).toEqual(key);
    },
  ],
  [
    32,
    'a bad DID is A2P010, an old timestamp A2P007, a bad nonce A2P009',
    () => {
      const header = (did: string, nonce: string) =>
        `A2P-Signature did="${did}",sig="x",ts="2020-01-01T00:00:00Z",nonce="${nonce}"`;
      expect(code(() => readSignatureHeader(header('did:x', 'a'.repeat(16))))).toBe('A2P010');
      expect(code(() => readSignatureHeader(header(bot.agentDid, 'short')))).toBe('A2P009');
      expect(
        code(() =>
          requireFresh(readSignatureHeader(header(bot.agentDid, 'a'.repeat(16))), fakeClock().now()),
        ),
      ).toBe('A2P007');
    },
  ],
];
