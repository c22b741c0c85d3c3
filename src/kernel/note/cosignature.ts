/** C2SP tlog-cosignature, `cosignature/v1` with Ed25519: a witness states that a checkpoint continues all that it has seen. */
import type { NoteSignature, VerifyEd25519 } from './signed-note.ts';
import type { VerifierKey } from './verifier-key.ts';

const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;

/** What a witness signs: the text of the checkpoint, and when, in seconds. */
export function cosignedMessage(text: string, seconds: number): Uint8Array {
  return new TextEncoder().encode(`cosignature/v1\ntime ${seconds}\n${text}`);
}

export function timestamped(seconds: number, signature: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(TIME_BYTES + signature.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(seconds));
  bytes.set(signature, TIME_BYTES);
  return bytes;
}

/** The time, in seconds, if the witness has signed this text; undefined if the signature is not by it. */
export async function cosignedAt(
  text: string,
  { signature }: NoteSignature,
  key: VerifierKey,
  verify: VerifyEd25519,
): Promise<number | undefined> {
  if (signature.length !== TIME_BYTES + SIGNATURE_BYTES) return undefined;
  const view = new DataView(signature.buffer, signature.byteOffset, signature.byteLength);
  const seconds = Number(view.getBigUint64(0));
  if (!Number.isSafeInteger(seconds)) return undefined;
  const signed = await verify(key.publicKey, cosignedMessage(text, seconds), signature.subarray(TIME_BYTES));
  return signed ? seconds : undefined;
}

/** Those of a note's signatures that claim to be by this key. */
export function claimedBy(signatures: readonly NoteSignature[], key: VerifierKey): NoteSignature[] {
  return signatures.filter(({ name, keyId }) => name === key.name && keyId === key.keyId);
}
