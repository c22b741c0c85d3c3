import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeBase64, encodeBase64 } from '../../../../kernel/base64.ts';
import type { Random } from '../../../../kernel/clock.ts';
import { createPrivateFileWith } from '../../../../platform/private-files.ts';
import { relayErrors } from '../../errors.ts';

const KEY_BYTES = 32;
export const CREDENTIAL_KEY_FILE = 'relay-credentials.key';

/**
 * What seals credentials towards peers: the key of the settings, which processes on several machines share, or one of the
 * data directory's own, made when it is first needed. It is never in the store, so that neither a copy of the store nor a
 * backup of it tells a credential.
 */
export function createCredentialKey(
  given: string | undefined,
  dataDir: string,
  random: Random,
): () => Uint8Array {
  let key: Uint8Array | undefined;
  return () => {
    key ??= given === undefined ? ownKey(join(dataDir, CREDENTIAL_KEY_FILE), random) : read(given);
    return key;
  };
}

function ownKey(path: string, random: Random): Uint8Array {
  createPrivateFileWith(path, `${encodeBase64(random.bytes(KEY_BYTES))}\n`);
  return read(readFileSync(path, 'utf8').trim());
}

function read(text: string): Uint8Array {
  const key = decodeBase64(text);
  if (key?.length !== KEY_BYTES) throw relayErrors.credential_key_unreadable();
  return key;
}
