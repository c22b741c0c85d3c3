/** One file that shows that a log of one size is the beginning of the same log of another, without the log. */
import { fromHex, toHex } from './base64.ts';
import { BatonError } from './error.ts';
import type { Hasher } from './hasher.ts';
import { readJson } from './json/reader.ts';
import { isJsonObject, type Json } from './json/value.ts';
import { verifyConsistency } from './merkle/verify.ts';
import { type Checkpoint, parseCheckpoint } from './note/checkpoint.ts';
import { parseNote, type VerifyEd25519, verifyNote } from './note/signed-note.ts';
import { parseVerifierKey, type VerifierKey } from './note/verifier-key.ts';

export const CONSISTENCY_FORMAT = 'baton-consistency/1';

export interface ConsistencyProof {
  /** Signed notes: the earlier checkpoint, which somebody kept, and the later one. */
  readonly first: string;
  readonly second: string;
  /** Hex, as in RFC 6962. */
  readonly path: readonly string[];
  readonly verifier_key: string;
}

export interface ConsistencyReport {
  readonly valid: boolean;
  /** The checkpoints were checked with a key that the caller provided, not with the one in the file. */
  readonly trusted: boolean;
  readonly first_size: number | null;
  readonly second_size: number | null;
  readonly first_root: string | null;
  readonly second_root: string | null;
  readonly origin: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface ConsistencyTrust {
  /** The log's key; without it, the one in the file is used. */
  readonly key?: string | undefined;
  /** A checkpoint that the caller kept: the file must begin with that one. */
  readonly kept?: string | undefined;
}

export function formatConsistencyProof(proof: ConsistencyProof): string {
  const { first, second, path, verifier_key } = proof;
  return `${JSON.stringify({ format: CONSISTENCY_FORMAT, first, second, path, verifier_key }, null, 2)}\n`;
}

export async function checkConsistencyProof(
  text: string,
  hasher: Hasher,
  verifyEd25519: VerifyEd25519,
  { key: trustedKey, kept }: ConsistencyTrust = {},
): Promise<ConsistencyReport> {
  const found: { -readonly [Part in keyof ConsistencyReport]?: ConsistencyReport[Part] } = {};
  let error: ConsistencyReport['error'] = null;
  try {
    const proof = partsOf(readJson(text));
    const key = parseVerifierKey(hasher, trustedKey ?? proof.verifier_key);
    const first = await signedHead(proof.first, key, verifyEd25519, 'first');
    found.first_size = first.size;
    found.first_root = toHex(first.root);
    found.origin = first.origin;
    const second = await signedHead(proof.second, key, verifyEd25519, 'second');
    found.second_size = second.size;
    found.second_root = toHex(second.root);
    if (kept !== undefined) compareWithKept(kept, first);
    if (first.size > second.size) {
      throw new ConsistencyFault(
        'cut',
        `The later checkpoint signs ${second.size} events, the earlier ${first.size}.`,
      );
    }
    const continues = verifyConsistency(hasher, {
      first: first.size,
      firstRoot: first.root,
      second: second.size,
      secondRoot: second.root,
      path: proof.path,
    });
    if (!continues) {
      const message = `The log of ${second.size} events does not continue the one of ${first.size}.`;
      throw new ConsistencyFault('inconsistent', message);
    }
  } catch (cause) {
    if (!(cause instanceof BatonError || cause instanceof ConsistencyFault)) throw cause;
    error = { code: cause.code, message: cause.message };
  }
  return {
    valid: error === null,
    trusted: trustedKey !== undefined,
    first_size: found.first_size ?? null,
    second_size: found.second_size ?? null,
    first_root: found.first_root ?? null,
    second_root: found.second_root ?? null,
    origin: found.origin ?? null,
    error,
  };
}

/** A verdict, not an error of the product: it never leaves this file. */
class ConsistencyFault extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

function partsOf(value: Json): Omit<ConsistencyProof, 'path'> & { readonly path: readonly Uint8Array[] } {
  if (!isJsonObject(value) || value.format !== CONSISTENCY_FORMAT) {
    throw new ConsistencyFault(
      'malformed_proof',
      `The file does not say that it is a ${CONSISTENCY_FORMAT}.`,
    );
  }
  const { first, second, path, verifier_key } = value;
  if (typeof first !== 'string' || typeof second !== 'string' || typeof verifier_key !== 'string') {
    throw new ConsistencyFault('malformed_proof', 'first, second or verifier_key is missing.');
  }
  const hashes = Array.isArray(path)
    ? path.map((hash: Json) => (typeof hash === 'string' ? fromHex(hash) : undefined))
    : [undefined];
  if (!hashes.every((hash): hash is Uint8Array => hash?.length === 32)) {
    throw new ConsistencyFault('malformed_proof', 'path holds something else than hashes.');
  }
  return { first, second, path: hashes, verifier_key };
}

async function signedHead(
  note: string,
  key: VerifierKey,
  verifyEd25519: VerifyEd25519,
  which: 'first' | 'second',
): Promise<Checkpoint> {
  try {
    const { text } = await verifyNote(note, [key], verifyEd25519);
    const head = parseCheckpoint(text);
    if (head.origin === key.name) return head;
  } catch (cause) {
    if (!(cause instanceof BatonError)) throw cause;
    throw new ConsistencyFault(cause.code, `The ${which} checkpoint: ${cause.message}`);
  }
  throw new ConsistencyFault('origin_mismatch', `The ${which} checkpoint is of another log than its key.`);
}

function compareWithKept(kept: string, first: Checkpoint): void {
  const own = parseCheckpoint(parseNote(kept).text);
  const same =
    own.size === first.size && own.origin === first.origin && toHex(own.root) === toHex(first.root);
  if (same) return;
  const message = `The file begins with another checkpoint than the one of ${own.size} events that was kept.`;
  throw new ConsistencyFault('kept_mismatch', message);
}
