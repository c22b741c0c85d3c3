import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/** DER around a raw key, as RFC 8410 has it: Node imports raw Ed25519 keys in no other form. */
const PKCS8_PREFIX = Uint8Array.from([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]);
const SPKI_PREFIX = Uint8Array.from([48, 42, 48, 5, 6, 3, 43, 101, 112, 3, 33, 0]);

/** Keys and signatures are raw bytes: a seed and a public key of 32, a signature of 64. */
export const ed25519 = {
  generate(): { seed: Uint8Array; publicKey: Uint8Array } {
    const { privateKey } = generateKeyPairSync('ed25519');
    const der = privateKey.export({ format: 'der', type: 'pkcs8' });
    const seed = Uint8Array.from(der.subarray(PKCS8_PREFIX.length));
    return { seed, publicKey: ed25519.publicKeyRaw(seed) };
  },

  publicKeyRaw(seed: Uint8Array): Uint8Array {
    const der = createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' });
    return Uint8Array.from(der.subarray(SPKI_PREFIX.length));
  },

  sign(seed: Uint8Array, message: Uint8Array): Uint8Array {
    return Uint8Array.from(sign(null, message, privateKeyOf(seed)));
  },

  /** False also for a key or signature of the wrong size. */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
    if (publicKey.length !== 32 || signature.length !== 64) return false;
    return verify(null, message, publicKeyOf(publicKey), signature);
  },
};

const KEYS_KEPT = 64;
const publicKeys = new Map<string, KeyObject>();

/** Importing a key takes nearly as long as a verification, and the same few keys sign most of what is checked. */
function publicKeyOf(raw: Uint8Array): KeyObject {
  const name = Buffer.from(raw).toString('latin1');
  let key = publicKeys.get(name);
  if (key === undefined) {
    key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: 'der', type: 'spki' });
    if (publicKeys.size === KEYS_KEPT) publicKeys.clear();
    publicKeys.set(name, key);
  }
  return key;
}

function privateKeyOf(seed: Uint8Array): KeyObject {
  if (seed.length !== 32) throw new RangeError('An Ed25519 seed has 32 bytes.');
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}
