/** C2SP signed-note: a text that people can read, with signatures below a blank line. */
import { decodeBase64, encodeBase64, toHex } from '../base64.ts';
import type { Hasher } from '../hasher.ts';
import { noteErrors } from './errors.ts';
import { keyIdBytes, type VerifierKey, verifierKey } from './verifier-key.ts';

export interface NoteSignature {
  readonly name: string;
  /** Eight hex digits. */
  readonly keyId: string;
  readonly signature: Uint8Array;
}

export interface SignedNote {
  /** Ends with a line feed; this is what was signed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** A promise where the platform verifies asynchronously, as browsers do. */
export type VerifyEd25519 = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean | Promise<boolean>;

export interface NoteSigner {
  readonly name: string;
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

const KEY_ID_BYTES = 4;
const SIGNATURE_LINE = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u;

export function formatNote(text: string, signatures: readonly NoteSignature[]): string {
  const lines = signatures.map(({ name, keyId, signature }) => {
    const blob = new Uint8Array(KEY_ID_BYTES + signature.length);
    blob.set(keyIdBytes(keyId));
    blob.set(signature, KEY_ID_BYTES);
    return `\u2014 ${name} ${encodeBase64(blob)}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

export function signNote(hasher: Hasher, text: string, signer: NoteSigner): string {
  if (!text.endsWith('\n')) throw new RangeError('The text of a note ends with a line feed.');
  const { keyId } = verifierKey(hasher, signer.name, signer.publicKey);
  const signature = signer.sign(new TextEncoder().encode(text));
  return formatNote(text, [{ name: signer.name, keyId, signature }]);
}

/** Throws `malformed_note`. */
export function parseNote(note: string): SignedNote {
  const blank = note.lastIndexOf('\n\n');
  if (blank < 0 || !note.endsWith('\n')) throw noteErrors.malformed_note();
  const text = note.slice(0, blank + 1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the format forbids them
  if (/[\u0000-\u0009\u000b-\u001f\u007f]/.test(note) || /\p{Surrogate}/u.test(note)) {
    throw noteErrors.malformed_note({ message: 'A note holds no control characters.' });
  }
  const lines = note.slice(blank + 2, -1).split('\n');
  return { text, signatures: lines.map(parseSignature) };
}

/**
 * Returns the note and the keys that signed it. Signatures by other keys are ignored. Throws `note_not_trusted` when
 * none of the keys signed, `note_forged` when a signature in the name of one of them is not by it.
 */
export async function verifyNote(
  note: string,
  keys: readonly VerifierKey[],
  verify: VerifyEd25519,
): Promise<{ text: string; signedBy: VerifierKey[] }> {
  const { text, signatures } = parseNote(note);
  const message = new TextEncoder().encode(text);
  const signedBy: VerifierKey[] = [];
  for (const { name, keyId, signature } of signatures) {
    const key = keys.find((known) => known.name === name && known.keyId === keyId);
    if (key === undefined || signedBy.includes(key)) continue;
    if (!(await verify(key.publicKey, message, signature))) {
      throw noteErrors.note_forged({ message: `The signature of ${name} does not fit the note.` });
    }
    signedBy.push(key);
  }
  if (signedBy.length === 0) throw noteErrors.note_not_trusted();
  return { text, signedBy };
}

/** One line below the blank line, without its line feed. Throws `malformed_note`. */
export function parseSignature(line: string): NoteSignature {
  const match = SIGNATURE_LINE.exec(line);
  const blob = match === null ? undefined : decodeBase64(match[2] as string);
  if (match === null || blob === undefined || blob.length <= KEY_ID_BYTES) {
    throw noteErrors.malformed_note({ message: 'A signature line of the note is malformed.' });
  }
  return {
    name: match[1] as string,
    keyId: toHex(blob.subarray(0, KEY_ID_BYTES)),
    signature: blob.subarray(KEY_ID_BYTES),
  };
}
