/** C2SP tlog-witness: one checkpoint, shown to continue what the witness has seen last, against its cosignature. */
import { encodeBase64 } from '../../../kernel/base64.ts';
import { BatonError } from '../../../kernel/error.ts';
import { claimedBy, cosignedAt } from '../../../kernel/note/cosignature.ts';
import {
  formatNote,
  type NoteSignature,
  parseNote,
  parseSignature,
} from '../../../kernel/note/signed-note.ts';
import { ed25519 } from '../../../platform/index.ts';
import { hashBytes } from '../tree/hex-hash.ts';
import type { Witness } from './witness.ts';

export type PostText = (
  url: URL,
  body: string,
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly text: string }>;

export interface WitnessRequest {
  readonly witness: Witness;
  readonly note: string;
  readonly size: number;
  /** What it has cosigned last, as far as we know. */
  readonly oldSize: number;
  /** The consistency proof to our size, hex. */
  readonly proofFrom: (size: number) => Promise<readonly string[]>;
  readonly post: PostText;
  readonly signal: AbortSignal;
}

export type WitnessAnswer =
  | { readonly cosigned: { readonly line: string; readonly seconds: number } }
  | {
      readonly failed: WitnessFailure /** What it says it has cosigned last. */;
      readonly witnessSize?: number;
    };

/**
 * `ahead`: it has seen more than we have; `disagrees`: something else than we have, of the same size or before. Both mean
 * that our journal is not the one it was.
 */
export type WitnessFailure =
  | 'ahead'
  | 'disagrees'
  | 'unknown_log'
  | 'untrusted_key'
  | 'unreachable'
  | 'unusable_answer'
  | `status_${number}`;

export async function askWitness(request: WitnessRequest): Promise<WitnessAnswer> {
  // What we believe of it may be wrong; that it is ahead of us, only the witness itself can say.
  const oldSize = request.oldSize > request.size ? 0 : request.oldSize;
  const first = await askFrom(request, oldSize);
  if (!('conflict' in first)) return first;
  const { conflict } = first;
  if (conflict === undefined) return { failed: 'unusable_answer' };
  if (conflict > request.size) return { failed: 'ahead', witnessSize: conflict };
  if (conflict === oldSize) return { failed: 'disagrees', witnessSize: conflict };
  const second = await askFrom(request, conflict);
  // Another process of ours was quicker, or the witness cannot make up its mind; the next round knows more.
  return 'conflict' in second ? { failed: 'disagrees', witnessSize: conflict } : second;
}

async function askFrom(
  request: WitnessRequest,
  oldSize: number,
): Promise<WitnessAnswer | { readonly conflict: number | undefined }> {
  const { witness, note, post, signal } = request;
  const proof = await request.proofFrom(oldSize);
  const lines = [`old ${oldSize}`, ...proof.map((hash) => encodeBase64(hashBytes(hash)))];
  const answer = await post(witness.url, `${lines.join('\n')}\n\n${note}`, signal).catch(() => undefined);
  if (!answer) return { failed: 'unreachable' };
  switch (answer.status) {
    case 200:
      return readCosignature(request, answer.text);
    case 409:
      return { conflict: sizeIn(answer.text) };
    case 404:
      return { failed: 'unknown_log' };
    case 403:
      return { failed: 'untrusted_key' };
    case 422:
      return { failed: 'disagrees', witnessSize: oldSize };
    default:
      return { failed: `status_${answer.status}` };
  }
}

/** Of the lines in the answer, the one by the key that we trust; others are passed over. */
async function readCosignature({ witness, note }: WitnessRequest, answer: string): Promise<WitnessAnswer> {
  const { text } = parseNote(note);
  for (const signature of claimedBy(signaturesIn(answer), witness.key)) {
    const seconds = await cosignedAt(text, signature, witness.key, ed25519.verify);
    if (seconds !== undefined) return { cosigned: { line: lineOf(signature), seconds } };
  }
  return { failed: 'unusable_answer' };
}

function signaturesIn(answer: string): NoteSignature[] {
  try {
    return answer.split('\n').filter(Boolean).map(parseSignature);
  } catch (error) {
    if (error instanceof BatonError) return [];
    throw error;
  }
}

/** As it stands in a note, with its line feed. */
function lineOf(signature: NoteSignature): string {
  return formatNote('', [signature]).slice(1);
}

function sizeIn(text: string): number | undefined {
  const size = /^(?:0|[1-9][0-9]{0,15})\n?$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(size) ? size : undefined;
}
