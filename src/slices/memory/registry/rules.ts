import type { Micros } from '../../../kernel/clock.ts';
import { formatMillis, parseInstant } from '../../../kernel/instant.ts';
import { asString } from '../../../kernel/json/loose.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { withMembers } from '../documents.ts';
import { memoryErrors } from '../errors.ts';
import { ed25519FromMultibase } from './multibase.ts';

/**
 * The public keys of a DID, newest last, as a2p writes them: `id`, `type`, `publicKeyMultibase`. We add `created`,
 * `expires` and `revoked`. Keys of other kinds are kept, but cannot sign here.
 */
export type KeyRing = readonly JsonObject[];

const KEPT = 20;

export function firstKey(publicKey: string, created: string): JsonObject {
  return { id: 'key-1', type: 'Ed25519', publicKeyMultibase: publicKey, created };
}

export function isLive(key: JsonObject, now: Micros): boolean {
  if (key.type !== 'Ed25519' || key.revoked !== undefined) return false;
  if (key.expires === undefined) return true;
  return (parseInstant(asString(key.expires) ?? '')?.micros ?? now) > now;
}

export const liveKeys = (ring: KeyRing, now: Micros): KeyRing => ring.filter((key) => isLive(key, now));

export function keyBytes(ring: KeyRing, now: Micros): Uint8Array[] {
  return liveKeys(ring, now).flatMap(
    (key) => ed25519FromMultibase(asString(key.publicKeyMultibase) ?? '') ?? [],
  );
}

/** The new key signs from now on; earlier ones expire after the overlap, so that no request in flight is lost. */
export function rotateKey(
  ring: KeyRing,
  publicKey: string,
  { now, overlapSeconds }: { readonly now: Micros; readonly overlapSeconds: number },
): KeyRing {
  if (!ed25519FromMultibase(publicKey))
    throw memoryErrors.A2P006({
      pointer: '/public_key',
      message: 'This is not an Ed25519 key in base58 multibase.',
    });
  if (ring.some((key) => key.publicKeyMultibase === publicKey))
    throw memoryErrors.A2P006({ pointer: '/public_key', message: 'This key has been used before.' });
  const end = now + overlapSeconds * 1_000_000;
  const ending = ring.map((key) =>
    isLive(key, end) ? withMembers(key, { expires: formatMillis(end) }) : key,
  );
  const added = { ...firstKey(publicKey, formatMillis(now)), id: newId(ring) };
  return [...ending, added].slice(-KEPT);
}

/** Effective at once. Without any key left, nobody can sign for this DID until one is added. */
export function revokeKey(ring: KeyRing, id: string, now: Micros): KeyRing {
  if (!ring.some((key) => key.id === id && isLive(key, now)))
    throw memoryErrors.A2P003({ message: 'There is no such valid key.' });
  return ring.map((key) => (key.id === id ? withMembers(key, { revoked: formatMillis(now) }) : key));
}

/** Ids are never reused, even after old keys were dropped. */
function newId(ring: KeyRing): string {
  const numbers = ring.map((key) => Number(/(?:^|#)key-(\d+)$/.exec(asString(key.id) ?? '')?.[1] ?? 0));
  return `key-${Math.max(0, ...numbers) + 1}`;
}
