import { appendFile, chmod, link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeBase64, encodeBase64 } from '../../../kernel/base64.ts';
import type { Random } from '../../../kernel/clock.ts';
import { toHex } from '../../../kernel/hex.ts';
import { type NoteSigner, signNote } from '../../../kernel/note/signed-note.ts';
import {
  COSIGNATURE_ED25519,
  formatVerifierKey,
  parseVerifierKey,
  type VerifierKey,
  verifierKey,
} from '../../../kernel/note/verifier-key.ts';
import { ed25519, nodeHasher } from '../../../platform/index.ts';
import type { Database } from '../../storage/database.ts';
import { journalErrors } from '../errors.ts';
import { selectOrSetStoreId } from '../numbers/number-store.ts';

/** Signs checkpoints in the name of one store. */
export interface JournalSigner {
  /** `baton/<store id>`: the first line of every checkpoint. */
  readonly origin: string;
  /** The public key that verifies our checkpoints: `name+id+key`. */
  readonly verifierKey: string;
  /** Every key that this data directory has signed with, the present one included. */
  readonly trustedKeys: readonly string[];
  sign(text: string): string;
}

const KEY_FILE = 'journal.key';
const PUBLIC_FILE = 'journal.pub';

/**
 * The key in `journal.key` of the directory, created on first use with mode 600. `journal.pub` lists the public keys ever
 * used there, so that what a lost key has signed can still be checked.
 */
export async function loadSigner(db: Database, directory: string, random: Random): Promise<JournalSigner> {
  const fresh = toHex(random.bytes(16));
  const storeId = await db.write((uow) => selectOrSetStoreId(uow, fresh));
  const origin = originOf(storeId);
  const seed = await readOrMakeSeed(directory, random);
  const publicKey = ed25519.publicKeyRaw(seed);
  const own = formatVerifierKey(verifierKey(nodeHasher, origin, publicKey));
  const signer: NoteSigner = { name: origin, publicKey, sign: (message) => ed25519.sign(seed, message) };
  return {
    origin,
    verifierKey: own,
    trustedKeys: await recordPublicKey(directory, own),
    sign: (text) => signNote(nodeHasher, text, signer),
  };
}

export function originOf(storeId: string): string {
  return `baton/${storeId}`;
}

export function parseTrustedKeys(keys: readonly string[]): VerifierKey[] {
  return keys.map((key) => parseVerifierKey(nodeHasher, key));
}

/** Throws `malformed_key`. */
export function parseWitnessKeys(keys: readonly string[]): VerifierKey[] {
  return keys.map((key) => parseVerifierKey(nodeHasher, key, COSIGNATURE_ED25519));
}

async function readOrMakeSeed(directory: string, random: Random): Promise<Uint8Array> {
  const path = join(directory, KEY_FILE);
  const present = await readIfThere(path);
  if (present === undefined) {
    const { seed } = ed25519.generate();
    if (await createWhole(path, `${encodeBase64(seed)}\n`, toHex(random.bytes(4)))) return seed;
    return readOrMakeSeed(directory, random);
  }
  const seed = decodeBase64(present.trim());
  if (seed?.length !== 32) throw journalErrors.signing_key_unreadable({ details: { path } });
  await chmod(path, 0o600);
  return seed;
}

/** The file appears with all its content or not at all; false when another process was first. */
async function createWhole(path: string, content: string, suffix: string): Promise<boolean> {
  const draft = `${path}.${suffix}`;
  await writeFile(draft, content, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function recordPublicKey(directory: string, key: string): Promise<string[]> {
  const path = join(directory, PUBLIC_FILE);
  const known = ((await readIfThere(path)) ?? '').split('\n').filter(Boolean);
  if (known.includes(key)) return known;
  await appendFile(path, `${key}\n`);
  return [...known, key];
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
