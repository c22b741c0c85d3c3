/** Without its key a journal cannot be continued in the same name: a new key is a decision, and is on record before it signs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { encodeBase64 } from '../../../kernel/base64.ts';
import type { Random } from '../../../kernel/clock.ts';
import { toHex } from '../../../kernel/hex.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { formatVerifierKey, parseVerifierKey, verifierKey } from '../../../kernel/note/verifier-key.ts';
import { ed25519, nodeHasher } from '../../../platform/index.ts';
import { writePrivateFile } from '../../../platform/private-files.ts';
import type { Database } from '../../storage/database.ts';
import { journalErrors } from '../errors.ts';
import { selectNewestPayloads } from '../events/event-store.ts';
import type { PayloadCodec } from '../events/payload-codec.ts';
import { selectOrSetStoreId } from '../numbers/number-store.ts';
import { KEY_FILE, knownPublicKeys, recordPublicKey } from './signing-key.ts';

/** Throws where the store has a history and its key is not in the directory. A new store gets one when it is loaded. */
export async function requireSigningKey(db: Database, directory: string): Promise<void> {
  const path = join(directory, KEY_FILE);
  if (existsSync(path) || !(await hasEvents(db))) return;
  throw journalErrors.signing_key_missing({ message: `${path} is missing.`, details: { path } });
}

/** Throws where the newest events are encrypted with a key that is not configured: what follows would be in the clear. */
export async function requirePayloadKey(db: Database, payloads: PayloadCodec): Promise<void> {
  const newest = await db.read((reader) => selectNewestPayloads(reader, 20));
  const kept = newest.find(({ payload }) => payload !== null);
  if (!kept?.payload) return;
  try {
    payloads.open(kept.payload, kept.event_id);
  } catch (error) {
    // A damaged one is for verification to report.
    if ((error as { code?: string }).code === 'payload_key_missing') throw error;
  }
}

export interface Renewal {
  /** Public keys that signed before, where `journal.pub` is lost too. */
  readonly known: readonly string[];
  readonly random: Random;
  /** Writes the event; the key signs nothing before. */
  announce(payload: JsonObject): Promise<void>;
}

/** Makes a new key in place of one that is lost. */
export async function renewSigningKey(
  db: Database,
  directory: string,
  { known, random, announce }: Renewal,
): Promise<void> {
  const path = join(directory, KEY_FILE);
  if (existsSync(path)) throw journalErrors.signing_key_present({ details: { path } });
  for (const key of known) {
    parseVerifierKey(nodeHasher, key);
    await recordPublicKey(directory, key);
  }
  const before = await knownPublicKeys(directory);
  if (before.length === 0 && (await hasEvents(db))) throw journalErrors.public_key_missing();
  const storeId = await db.write((uow) => selectOrSetStoreId(uow, toHex(random.bytes(16))));
  const { seed } = ed25519.generate();
  const key = formatVerifierKey(verifierKey(nodeHasher, `baton/${storeId}`, ed25519.publicKeyRaw(seed)));
  await announce({ key, keys_before: before });
  await writePrivateFile(path, `${encodeBase64(seed)}\n`, 'wx');
}

async function hasEvents(db: Database): Promise<boolean> {
  return (await db.read((reader) => selectNewestPayloads(reader, 1))).length > 0;
}
