import type { Micros } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { parseInstant } from '../../../kernel/instant.ts';
import { requireDid } from '../did.ts';
import { memoryErrors } from '../errors.ts';

export interface SignedRequest {
  readonly did: string;
  readonly signature: string;
  readonly timestamp: string;
  readonly nonce: string;
  /** How long the signature is valid, in seconds. */
  readonly holds: number;
}

const SCHEME = /^A2P-Signature\s+/i;
const SKEW_SECONDS = 300;

export function isSignatureHeader(header: string | undefined): header is string {
  return header !== undefined && SCHEME.test(header);
}

/** `A2P-Signature did="…",sig="…",ts="…",nonce="…"[,exp="300"]` */
export function readSignatureHeader(header: string): SignedRequest {
  const fields = new Map<string, string>();
  for (const [, name, value] of header.replace(SCHEME, '').matchAll(/(\w+)="([^"]*)"/g)) {
    fields.set(name as string, value as string);
  }
  const did = fields.get('did');
  const signature = fields.get('sig');
  const timestamp = fields.get('ts');
  const nonce = fields.get('nonce') ?? '';
  if (did === undefined || signature === undefined || timestamp === undefined) throw memoryErrors.A2P001();
  requireDid(did, '/authorization');
  if (!/^[a-zA-Z0-9]{16,32}$/.test(nonce)) throw memoryErrors.A2P009();
  const holds = Math.min(
    SKEW_SECONDS,
    Math.max(1, Number(fields.get('exp') ?? SKEW_SECONDS) || SKEW_SECONDS),
  );
  return { did, signature, timestamp, nonce, holds };
}

/** Within 300 seconds either way, and no older than the signature's own expiry. */
export function requireFresh(signed: SignedRequest, now: Micros): void {
  const at = instantOf(signed.timestamp);
  const age = at === undefined ? Number.NaN : (now - at) / 1_000_000;
  if (!(age <= signed.holds && age >= -SKEW_SECONDS)) throw memoryErrors.A2P007();
}

/** RFC 3339, or seconds or milliseconds since 1970. */
function instantOf(text: string): Micros | undefined {
  if (/^\d{9,11}$/.test(text)) return Number(text) * 1_000_000;
  if (/^\d{12,14}$/.test(text)) return Number(text) * 1000;
  return parseInstant(text)?.micros;
}

/** What is signed: SHA-256 of method, path with query, timestamp, nonce and the body's hash, joined by newlines. */
export function signedDigest(
  hasher: Hasher,
  request: { readonly method: string; readonly path: string; readonly body: Uint8Array },
  signed: Pick<SignedRequest, 'timestamp' | 'nonce'>,
): Uint8Array {
  const { method, path, body } = request;
  return hasher.bytes([method, path, signed.timestamp, signed.nonce, hasher.hex(body)].join('\n'));
}
