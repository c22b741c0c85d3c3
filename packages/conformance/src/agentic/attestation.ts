/** Makes attestations without the server's own code, as a foreign client would. */
import { encodeBase64 } from '../../../../src/kernel/base64.ts';
import { ed25519, nodeHasher } from '../../../../src/platform/index.ts';
import type { WireActor } from './trial.ts';

const SPKI = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

export interface Signer {
  sign(statement: string, payloadType?: string): Record<string, unknown>;
}

export function createSigner(): Signer {
  const { seed, publicKey } = ed25519.generate();
  const keyid = nodeHasher.hex(Uint8Array.from([...SPKI, ...publicKey]));
  return {
    sign(statement, payloadType = PAYLOAD_TYPE) {
      const payload = Buffer.from(statement, 'utf8');
      const type = Buffer.from(payloadType, 'utf8');
      const head = `DSSEv1 ${type.length} ${payloadType} ${payload.length} `;
      const sig = ed25519.sign(seed, Buffer.concat([Buffer.from(head, 'utf8'), payload]));
      return {
        payloadType,
        payload: payload.toString('base64'),
        signatures: [{ keyid, sig: encodeBase64(sig) }],
        public_key: encodeBase64(publicKey),
      };
    },
  };
}

export function statementAbout(packageId: string, bodyHash: string, actor: WireActor): string {
  return JSON.stringify({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: packageId, digest: { sha256: bodyHash.replace(/^sha256:/, '') } }],
    predicateType: 'urn:baton:package-attestation:1',
    predicate: { actor, session_id: null, content_hash: null, role: 'author' },
  });
}
