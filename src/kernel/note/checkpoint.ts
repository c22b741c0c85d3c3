/** C2SP tlog-checkpoint: the head of a tree as the text of a note. */
import { decodeBase64, encodeBase64 } from '../base64.ts';
import { noteErrors } from './errors.ts';

export interface Checkpoint {
  /** Which log this is: also the name of the key that signs it. */
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
  /** Lines after the third, which only the log itself gives a meaning. */
  readonly extensions: readonly string[];
}

export function checkpointBody(
  origin: string,
  size: number,
  root: Uint8Array,
  extensions: readonly string[] = [],
): string {
  return `${[origin, size, encodeBase64(root), ...extensions].join('\n')}\n`;
}

/** Throws `malformed_checkpoint`. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin, size, root, ...rest] = text.split('\n');
  const hash = decodeBase64(root ?? '');
  if (!text.endsWith('\n') || !origin || size === undefined || !/^(?:0|[1-9][0-9]*)$/.test(size)) {
    throw noteErrors.malformed_checkpoint();
  }
  if (!Number.isSafeInteger(Number(size)) || hash?.length !== 32) throw noteErrors.malformed_checkpoint();
  return { origin, size: Number(size), root: hash, extensions: rest.slice(0, -1) };
}
