import { decodeBase64, encodeBase64 } from '../../../kernel/base64.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { ed25519 } from '../../../platform/index.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { keyHash, selectFacts } from '../facts/store.ts';
import type { StoredPackage } from '../packages/stored-package.ts';
import {
  type Envelope,
  KEY_PREDICATE,
  keyIdOf,
  keySubject,
  type PackageStatement,
  preAuthEncoding,
  readStatement,
} from './rules.ts';

export interface Checked {
  readonly statement: PackageStatement | undefined;
  readonly keyid: string;
  readonly valid: boolean;
  readonly reason: string | null;
}

export interface KnownKey {
  readonly keyid: string;
  readonly bytes: Uint8Array;
  /** Ended without a successor: whoever holds it may not be its actor. */
  readonly revoked: boolean;
  readonly current: boolean;
}

/** The keys of an actor in a project, the latest first. */
export async function knownKeys(
  reader: Reader,
  hasher: Hasher,
  projectId: string,
  actor: { readonly id: string; readonly type: string },
): Promise<KnownKey[]> {
  const key = { projectId, subject: keySubject(actor), predicate: KEY_PREDICATE };
  const facts = await selectFacts(reader, { ...key, key: keyHash(hasher, key), history: true, limit: 50 });
  return facts.flatMap((fact) => {
    const bytes = decodeBase64(fact.value);
    if (bytes?.byteLength !== 32) return [];
    const revoked = fact.invalidatedBy !== null;
    return [{ keyid: keyIdOf(hasher, bytes), bytes, revoked, current: fact.validTo === null }];
  });
}

/** Whether the envelope says of this package what it is, under a key of the actor it names. */
export function checkEnvelope(
  envelope: Envelope,
  stored: Pick<StoredPackage, 'packageId' | 'bodyHash'>,
  keys: readonly KnownKey[],
): Checked {
  const statement = readStatement(envelope);
  const keyid = envelope.signatures[0]?.keyid ?? '';
  const failed = (reason: string): Checked => ({ statement, keyid, valid: false, reason });
  if (!statement) return failed('no_statement');
  if (statement.packageId !== stored.packageId) return failed('other_package');
  if (statement.bodyHash !== stored.bodyHash) return failed('other_content');
  const payload = decodeBase64(envelope.payload) ?? new Uint8Array();
  const signed = preAuthEncoding(envelope.payloadType, payload);
  for (const { keyid: named, sig } of envelope.signatures) {
    const key = keys.find((known) => known.keyid === named);
    const signature = decodeBase64(sig);
    if (!key || !signature) continue;
    if (!ed25519.verify(key.bytes, signed, signature)) return failed('bad_signature');
    return key.revoked ? failed('key_revoked') : { statement, keyid: named, valid: true, reason: null };
  }
  return failed('unknown_key');
}

/** The key that an envelope brings along, in the form in which it is kept. */
export function offeredKey(hasher: Hasher, text: string): (KnownKey & { readonly text: string }) | undefined {
  const bytes = decodeBase64(text);
  if (bytes?.byteLength !== 32) return undefined;
  return { keyid: keyIdOf(hasher, bytes), bytes, revoked: false, current: true, text: encodeBase64(bytes) };
}
