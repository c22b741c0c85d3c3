import { readFileSync } from 'node:fs';
import { decodeBase64, encodeBase64 } from '../kernel/base64.ts';
import type { Random } from '../kernel/clock.ts';
import { createPrivateFileWith } from './private-files.ts';

const KEY_BYTES = 32;

export interface SealingKeySource {
  /** The key of the settings, in base64, which processes on several machines share. */
  readonly given: string | undefined;
  /** Otherwise a file of the data directory, made when it is first needed. */
  readonly path: string;
  readonly random: Random;
  /** What is thrown where the key is not 32 bytes in base64. */
  readonly unreadable: () => Error;
}

/**
 * What seals secrets that the store keeps for somebody. It is never in the store, so that neither a copy of the store nor
 * a backup of it tells them.
 */
export function createSealingKey({ given, path, random, unreadable }: SealingKeySource): () => Uint8Array {
  let key: Uint8Array | undefined;
  const read = (text: string) => {
    const bytes = decodeBase64(text);
    if (bytes?.length !== KEY_BYTES) throw unreadable();
    return bytes;
  };
  return () => {
    if (key === undefined) {
      if (given === undefined) createPrivateFileWith(path, `${encodeBase64(random.bytes(KEY_BYTES))}\n`);
      key = read(given ?? readFileSync(path, 'utf8').trim());
    }
    return key;
  };
}
