/**
 * DSSE envelopes with an in-toto statement about one package. The signature covers the payload's type, so that a
 * signature over one kind of document never passes for one over another.
 */
import type { z } from 'zod';
import { decodeBase64, encodeBase64 } from '../../../kernel/base64.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { decodeUtf8 } from '../../../kernel/json/utf8.ts';
import { ed25519 } from '../../../platform/index.ts';
import type { StoredPackage } from '../packages/stored-package.ts';
import type { signedEnvelopeSchema } from '../schema.ts';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const PREDICATE_TYPE = 'urn:baton:package-attestation:1';
const roles = ['author', 'reviewer', 'importer'] as const;

export type Envelope = z.output<typeof signedEnvelopeSchema>;

export interface PackageStatement {
  readonly packageId: string;
  readonly bodyHash: string;
  readonly actor: { readonly id: string; readonly type: string };
  readonly role: string;
  readonly contentHash: string | undefined;
}

const encoder = new TextEncoder();

/** Pre-authentication encoding: lengths first, so that no two inputs share their bytes. */
function preAuthEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = encoder.encode(payloadType);
  const head = encoder.encode(`DSSEv1 ${type.byteLength} ${payloadType} ${payload.byteLength} `);
  const whole = new Uint8Array(head.byteLength + payload.byteLength);
  whole.set(head);
  whole.set(payload, head.byteLength);
  return whole;
}

/** Undefined if the payload is not our kind of statement about one package. */
export function readStatement(envelope: Envelope): PackageStatement | undefined {
  if (envelope.payloadType !== PAYLOAD_TYPE) return undefined;
  const bytes = decodeBase64(envelope.payload);
  if (!bytes) return undefined;
  try {
    const given = JSON.parse(decodeUtf8(bytes));
    const subject = given.subject?.[0];
    const sound =
      given._type === STATEMENT_TYPE &&
      given.predicateType === PREDICATE_TYPE &&
      given.subject.length === 1 &&
      typeof subject.name === 'string' &&
      /^[0-9a-f]{64}$/.test(subject.digest?.sha256) &&
      (roles as readonly string[]).includes(given.predicate?.role) &&
      typeof given.predicate.actor?.id === 'string';
    if (!sound) return undefined;
    return {
      packageId: subject.name,
      bodyHash: `sha256:${subject.digest.sha256}`,
      actor: { id: given.predicate.actor.id, type: String(given.predicate.actor.type) },
      role: given.predicate.role,
      contentHash: given.predicate.content_hash ?? undefined,
    };
  } catch {
    return undefined;
  }
}

const SPKI_PREFIX = Uint8Array.from([0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]);

/** SHA-256 over the SubjectPublicKeyInfo of a raw Ed25519 key. */
export function keyIdOf(hasher: Hasher, publicKey: Uint8Array): string {
  const spki = new Uint8Array(SPKI_PREFIX.byteLength + publicKey.byteLength);
  spki.set(SPKI_PREFIX);
  spki.set(publicKey, SPKI_PREFIX.byteLength);
  return hasher.hex(spki);
}

/** The fact that holds an actor's key: trusted on first use, rotated by supersession, revoked by invalidation. */
export function keySubject(actor: { readonly id: string; readonly type: string }): string {
  return `actor:${actor.type}/${actor.id}`;
}

export const KEY_PREDICATE = 'signing_key';

export interface EnvelopeCheck {
  readonly statement: PackageStatement | undefined;
  readonly keyid: string;
  readonly valid: boolean;
  readonly reason: string | null;
}

export interface KnownKey {
  readonly keyid: string;
  readonly bytes: Uint8Array;
  /** Ended without a successor: whoever holds it may not be the actor. */
  readonly revoked: boolean;
  readonly current: boolean;
}

/** Whether the envelope attests this very package, signed with a key of the actor it names. */
export function checkEnvelope(
  envelope: Envelope,
  stored: Pick<StoredPackage, 'packageId' | 'bodyHash'>,
  keys: readonly KnownKey[],
): EnvelopeCheck {
  const statement = readStatement(envelope);
  const keyid = envelope.signatures[0]?.keyid ?? '';
  const failed = (reason: string): EnvelopeCheck => ({ statement, keyid, valid: false, reason });
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

/** The key that comes with an envelope, in the form in which it is stored. */
export function offeredKey(hasher: Hasher, text: string): (KnownKey & { readonly text: string }) | undefined {
  const bytes = decodeBase64(text);
  if (bytes?.byteLength !== 32) return undefined;
  return { keyid: keyIdOf(hasher, bytes), bytes, revoked: false, current: true, text: encodeBase64(bytes) };
}
