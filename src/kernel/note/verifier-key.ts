import { decodeBase64, encodeBase64, fromHex, toHex } from '../base64.ts';
import type { Hasher } from '../hasher.ts';
import { noteErrors } from './errors.ts';

/** C2SP signed-note's numbers: a plain Ed25519 signature, and one by a witness over note and time. */
export const NOTE_ED25519 = 1;
export const COSIGNATURE_ED25519 = 4;

export type KeyType = typeof NOTE_ED25519 | typeof COSIGNATURE_ED25519;

export interface VerifierKey {
  readonly name: string;
  /** Eight hex digits. */
  readonly keyId: string;
  /** 32 raw bytes. */
  readonly publicKey: Uint8Array;
}

/** Eight hex digits that identify name, type and key together. */
export function noteKeyId(
  hasher: Hasher,
  name: string,
  publicKey: Uint8Array,
  type: KeyType = NOTE_ED25519,
): string {
  const prefix = new TextEncoder().encode(`${name}\n`);
  const input = new Uint8Array(prefix.length + 1 + publicKey.length);
  input.set(prefix);
  input[prefix.length] = type;
  input.set(publicKey, prefix.length + 1);
  return toHex(hasher.bytes(input).subarray(0, 4));
}

export function verifierKey(
  hasher: Hasher,
  name: string,
  publicKey: Uint8Array,
  type: KeyType = NOTE_ED25519,
): VerifierKey {
  return { name, keyId: noteKeyId(hasher, name, publicKey, type), publicKey };
}

/** `name+id+key`, as logs and witnesses publish it. */
export function formatVerifierKey(key: VerifierKey, type: KeyType = NOTE_ED25519): string {
  const typed = new Uint8Array(1 + key.publicKey.length);
  typed[0] = type;
  typed.set(key.publicKey, 1);
  return `${key.name}+${key.keyId}+${encodeBase64(typed)}`;
}

/** Throws `malformed_key`, also when the id is not that of name and key. */
export function parseVerifierKey(hasher: Hasher, text: string, type: KeyType = NOTE_ED25519): VerifierKey {
  const match = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(text);
  const typed = match === null ? undefined : decodeBase64(match[3] as string);
  if (match === null || typed === undefined) throw noteErrors.malformed_key();
  if (typed[0] !== type || typed.length !== 33) {
    const what = type === NOTE_ED25519 ? 'an Ed25519 key' : 'the Ed25519 key of a witness (type 4)';
    throw noteErrors.malformed_key({ message: `The verifier key is not ${what}.` });
  }
  const key = verifierKey(hasher, match[1] as string, typed.subarray(1), type);
  if (key.keyId !== match[2]) {
    throw noteErrors.malformed_key({
      message: 'The id in the verifier key is not that of its name and key.',
    });
  }
  return key;
}

export function keyIdBytes(keyId: string): Uint8Array {
  return fromHex(keyId) ?? new Uint8Array(0);
}
