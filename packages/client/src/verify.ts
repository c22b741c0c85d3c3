/**
 * Checks what a server says without trusting it: the kernel's own verification, with hash and signature of the
 * platform at hand. An entry point of its own, so that who only calls operations does not load it.
 */
import { type ConsistencyReport, checkConsistencyProof } from '../../../src/kernel/consistency-proof.ts';
import { readJson } from '../../../src/kernel/json/reader.ts';
import { isJsonObject, type Json } from '../../../src/kernel/json/value.ts';
import { writeJson } from '../../../src/kernel/json/write.ts';
import type { VerifyEd25519 } from '../../../src/kernel/note/signed-note.ts';
import { checkProofBundle, type ProofReport } from '../../../src/kernel/proof-bundle.ts';
import { portableHasher } from '../../../src/kernel/sha256.ts';
import {
  type ChainKind,
  eventHash,
  readTraceEvent,
  TRACE_EVENT_TYPES,
} from '../../../src/kernel/trace/event.ts';
import type { ChainReport } from '../../../src/kernel/trace/report.ts';
import { createChainVerifier } from '../../../src/kernel/trace/verify-chain.ts';
import { checkWhyProof, type WhyProofReport } from '../../../src/kernel/why-proof.ts';
import { type CheckpointReport, checkCheckpoint as checkNote } from './verify-files.ts';

export { type FileKind, kindOfFile } from './file-kinds.ts';
export {
  type CheckpointReport,
  checkManifest,
  checkRunExport,
  type DigestReport,
  type ManifestReport,
} from './verify-files.ts';
export type { ChainReport, ConsistencyReport, ProofReport, WhyProofReport };

/** `pruned`: retention dropped the content, so only the link can be checked. */
export type HashVerdict = 'match' | 'mismatch' | 'pruned';

/** `unseen`: the event before it is not among those at hand. */
export type LinkVerdict = 'match' | 'mismatch' | 'unseen';

export interface EntryCheck {
  readonly leaf: number;
  readonly hash: HashVerdict;
  readonly link: LinkVerdict;
}

interface Seen {
  readonly leaf: number;
  readonly chainId: string;
  readonly sequence: number;
  readonly eventHash: string;
  readonly previousHash: string;
  readonly hash: HashVerdict;
}

/**
 * Recomputes the hash of every entry in the text of an answer of `journal.changes`, and the links between those of
 * the same chain. Needs the text: a JSON parser of the platform loses the form in which numbers were hashed.
 */
export function checkEntries(answer: string): readonly EntryCheck[] {
  const body = readJson(answer, { maxDepth: 500 });
  const entries = isJsonObject(body) && Array.isArray(body.events) ? (body.events as readonly Json[]) : [];
  const seen = entries.flatMap((entry) => seenIn(entry) ?? []);
  const places = new Map(seen.map((one) => [placeOf(one.chainId, one.sequence), one]));
  return seen.map((one) => {
    const before = places.get(placeOf(one.chainId, one.sequence - 1));
    const linked = before?.eventHash === one.previousHash;
    return { leaf: one.leaf, hash: one.hash, link: before ? (linked ? 'match' : 'mismatch') : 'unseen' };
  });
}

const placeOf = (chainId: string, sequence: number) => `${chainId} ${sequence}`;

function seenIn(entry: Json): Seen | undefined {
  if (!isJsonObject(entry) || !isJsonObject(entry.event)) return undefined;
  const { event, leaf, chain } = entry;
  return {
    leaf: Number(leaf),
    chainId: String(event.session_id),
    sequence: Number(event.sequence),
    eventHash: String(event.event_hash),
    previousHash: String(event.previous_event_hash),
    hash: event.payload === null ? 'pruned' : hashVerdict(writeJson(event), chain as ChainKind),
  };
}

function hashVerdict(line: string, kind: ChainKind): HashVerdict {
  try {
    const event = readTraceEvent(line, kind);
    return eventHash(portableHasher, event) === event.event_hash ? 'match' : 'mismatch';
  } catch {
    return 'mismatch';
  }
}

/** Checks the text of a proof file; with a trusted key, the key in the file counts for nothing. */
export function checkProof(text: string, trustedKey?: string): Promise<ProofReport> {
  return checkProofBundle(text, portableHasher, verifyEd25519, trustedKey);
}

/** Checks the text of a file that proves an explanation, step by step. */
export function checkWhy(text: string, trustedKey?: string): Promise<WhyProofReport> {
  return checkWhyProof(text, portableHasher, verifyEd25519, trustedKey);
}

/** Checks the text of a file that shows that a later log continues an earlier one. */
export function checkConsistency(text: string, trustedKey?: string): Promise<ConsistencyReport> {
  return checkConsistencyProof(text, portableHasher, verifyEd25519, { key: trustedKey });
}

/** Checks a checkpoint, as a note or as JSON; with a trusted key, the key in the file counts for nothing. */
export function checkCheckpoint(text: string, trustedKey?: string): Promise<CheckpointReport> {
  return checkNote(text, verifyEd25519, trustedKey);
}

/** Checks a chain as a file: one event a line, from the first on. Its first event says which kind of chain it is. */
export function checkChain(text: string): ChainReport {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const first = /"event_type"\s*:\s*"([^"]*)"/.exec(lines[0] ?? '')?.[1];
  const kind: ChainKind = (TRACE_EVENT_TYPES as readonly (string | undefined)[]).includes(first)
    ? 'trace'
    : 'ledger';
  const verifier = createChainVerifier(portableHasher, { kind, profile: 'auto', acceptPruned: true });
  for (const line of lines) verifier.push(line);
  return verifier.finish();
}

const verifyEd25519: VerifyEd25519 = async (publicKey, message, signature) => {
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(publicKey), 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, Uint8Array.from(signature), Uint8Array.from(message));
};
