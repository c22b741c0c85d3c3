/** One file that proves one event to anyone who trusts the log's key, without the log. */
import { fromHex, toHex } from './base64.ts';
import { BatonError } from './error.ts';
import type { Hasher } from './hasher.ts';
import { readJson } from './json/reader.ts';
import { isJsonObject, type Json, type JsonObject } from './json/value.ts';
import { leafHash } from './merkle/hash.ts';
import { verifyInclusion } from './merkle/verify.ts';
import { parseCheckpoint } from './note/checkpoint.ts';
import { type VerifyEd25519, verifyNote } from './note/signed-note.ts';
import { parseVerifierKey } from './note/verifier-key.ts';
import { eventHash, type TraceEvent, traceEventLine } from './trace/event.ts';
import { eventFields, syntaxFault } from './trace/fields.ts';

export const PROOF_FORMAT = 'baton-proof/1';

export interface ProofBundle {
  readonly format: typeof PROOF_FORMAT;
  readonly event: TraceEvent;
  readonly leaf_index: number;
  /** Hex, from the leaf up, in the tree of the checkpoint. */
  readonly inclusion_path: readonly string[];
  /** A signed note. */
  readonly checkpoint: string;
  readonly verifier_key: string;
}

export interface ProofReport {
  readonly valid: boolean;
  /** The checkpoint was checked with a key that the caller provided, not with the one in the file. */
  readonly trusted: boolean;
  readonly event_hash: string | null;
  readonly leaf_index: number | null;
  readonly tree_size: number | null;
  readonly origin: string | null;
  /** Why it is not valid. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

export function proofBundle(parts: {
  event: TraceEvent;
  leafIndex: number;
  path: readonly Uint8Array[];
  checkpoint: string;
  verifierKey: string;
}): ProofBundle {
  return {
    format: PROOF_FORMAT,
    event: parts.event,
    leaf_index: parts.leafIndex,
    inclusion_path: parts.path.map(toHex),
    checkpoint: parts.checkpoint,
    verifier_key: parts.verifierKey,
  };
}

/** The file. The event is written as in a trace file, so that its numbers keep the form they were hashed in. */
export function formatProofBundle(bundle: ProofBundle): string {
  const { event, ...rest } = bundle;
  const [opening, ...others] = JSON.stringify(rest, null, 2).split('\n');
  const [format, ...tail] = others;
  return `${[opening, format, `  "event": ${traceEventLine(event)},`, ...tail].join('\n')}\n`;
}

/** Takes the file's text, or its value from the strict reader. With a trusted key, the key in the file is ignored. */
export async function checkProofBundle(
  bundle: string | Json | ProofBundle,
  hasher: Hasher,
  verifyEd25519: VerifyEd25519,
  trustedKey?: string,
): Promise<ProofReport> {
  const found: { -readonly [Part in keyof ProofReport]?: ProofReport[Part] } = {};
  let error: ProofReport['error'] = null;
  try {
    const value = typeof bundle === 'string' ? readJson(bundle) : (bundle as Json);
    const parts = partsOf(value);
    found.leaf_index = parts.leaf_index;
    found.event_hash = parts.event.event_hash;
    if (eventHash(hasher, parts.event) !== parts.event.event_hash) {
      throw new ProofFault('hash_mismatch', 'The event is not the one that was hashed.');
    }
    const key = parseVerifierKey(hasher, trustedKey ?? parts.verifier_key);
    const { text } = await verifyNote(parts.checkpoint, [key], verifyEd25519);
    const checkpoint = parseCheckpoint(text);
    found.tree_size = checkpoint.size;
    found.origin = checkpoint.origin;
    if (checkpoint.origin !== key.name) {
      throw new ProofFault('origin_mismatch', 'The checkpoint is of another log than its key.');
    }
    const included = verifyInclusion(hasher, {
      leaf: leafHash(hasher, fromHex(parts.event.event_hash) as Uint8Array),
      index: parts.leaf_index,
      size: checkpoint.size,
      path: parts.path,
      root: checkpoint.root,
    });
    if (!included) throw new ProofFault('not_included', 'The event is not in the tree of the checkpoint.');
  } catch (cause) {
    if (!(cause instanceof BatonError || cause instanceof ProofFault)) throw cause;
    error = { code: cause.code, message: cause.message };
  }
  return {
    valid: error === null,
    trusted: trustedKey !== undefined,
    event_hash: found.event_hash ?? null,
    leaf_index: found.leaf_index ?? null,
    tree_size: found.tree_size ?? null,
    origin: found.origin ?? null,
    error,
  };
}

/** A verdict, not an error of the product: it never leaves this file. */
class ProofFault extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface ProofContent {
  readonly event: TraceEvent;
  readonly leaf_index: number;
  readonly path: readonly Uint8Array[];
  readonly checkpoint: string;
  readonly verifier_key: string;
}

function partsOf(value: Json): ProofContent {
  if (!isJsonObject(value) || value.format !== PROOF_FORMAT) {
    throw new ProofFault('malformed_proof', `The file does not say that it is a ${PROOF_FORMAT}.`);
  }
  const { leaf_index, checkpoint, verifier_key } = value;
  if (typeof leaf_index !== 'number' || typeof checkpoint !== 'string' || typeof verifier_key !== 'string') {
    throw new ProofFault('malformed_proof', 'leaf_index, checkpoint or verifier_key is missing.');
  }
  return { event: eventOf(value), leaf_index, path: pathOf(value), checkpoint, verifier_key };
}

function eventOf(value: JsonObject): TraceEvent {
  const event = eventFields(value.event ?? null, true);
  if (event.payload === null) throw new ProofFault('payload_pruned', 'The payload of the event is gone.');
  // Every type of a trace chain is also one by the rule of a ledger chain.
  const fault = syntaxFault(event, 'ledger');
  if (fault !== undefined) throw new ProofFault('invalid_event', fault.message);
  return event;
}

function pathOf(value: JsonObject): Uint8Array[] {
  const path = value.inclusion_path;
  if (!Array.isArray(path)) throw new ProofFault('malformed_proof', 'inclusion_path must be a list.');
  return path.map((item: Json) => {
    const hash = typeof item === 'string' ? fromHex(item) : undefined;
    if (hash?.length !== 32)
      throw new ProofFault('malformed_proof', 'inclusion_path holds something else than hashes.');
    return hash;
  });
}
