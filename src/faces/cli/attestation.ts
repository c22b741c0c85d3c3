/** Signatures of the user's own about packages: DSSE envelopes over in-toto statements. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeBase64 } from '../../kernel/base64.ts';
import { fromHex, toHex } from '../../kernel/hex.ts';
import { ed25519, nodeHasher } from '../../platform/index.ts';
import { makePrivateFolder, writePrivateFile } from '../../platform/private-files.ts';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const SPKI = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

export interface Attested {
  readonly packageId: string;
  /** `sha256:<hex>` */
  readonly bodyHash: string;
  readonly contentHash: string;
  readonly actor: { readonly id: string; readonly type: string };
  readonly role: string;
}

/** With the key in the data directory, which is created on first use. */
export async function attestation(dataDir: string, about: Attested) {
  const statement = JSON.stringify({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: about.packageId, digest: { sha256: about.bodyHash.replace(/^sha256:/, '') } }],
    predicateType: 'urn:baton:package-attestation:1',
    predicate: {
      actor: about.actor,
      session_id: null,
      content_hash: about.contentHash,
      role: about.role,
    },
  });
  return sign(await signingSeed(dataDir), statement);
}

/** What is signed begins with the type of the payload: a signature of one kind never passes for another. */
function sign(seed: Uint8Array, statement: string) {
  const payload = Buffer.from(statement, 'utf8');
  const head = `DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `;
  const publicKey = ed25519.publicKeyRaw(seed);
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [
      {
        keyid: nodeHasher.hex(Uint8Array.from([...SPKI, ...publicKey])),
        sig: encodeBase64(ed25519.sign(seed, Buffer.concat([Buffer.from(head, 'utf8'), payload]))),
      },
    ],
    public_key: encodeBase64(publicKey),
  };
}

/** The user's own key, created on first use and readable by nobody else. */
async function signingSeed(dataDir: string): Promise<Uint8Array> {
  const path = join(dataDir, 'attest.key');
  if (!existsSync(path)) {
    makePrivateFolder(dataDir);
    await writePrivateFile(path, `${toHex(ed25519.generate().seed)}\n`, 'wx');
  }
  return fromHex((await readFile(path, 'utf8')).trim()) ?? new Uint8Array();
}
