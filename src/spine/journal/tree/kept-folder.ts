import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BatonError } from '../../../kernel/error.ts';
import { toHex } from '../../../kernel/hex.ts';
import { parseCheckpoint } from '../../../kernel/note/checkpoint.ts';
import { checkpointFileName, sizeInFileName } from '../../../kernel/note/checkpoint-file.ts';
import { parseNote, verifyNote } from '../../../kernel/note/signed-note.ts';
import { ed25519, writePrivateFile } from '../../../platform/index.ts';
import { linkOf } from './checkpoint-link.ts';
import { parseTrustedKeys } from './signing-key.ts';
import type { Tree } from './tree.ts';
import type { StoredCheckpoint } from './tree-store.ts';

export interface KeptStatus {
  readonly status: 'pass' | 'fail';
  readonly message: string;
}

/** Checkpoints in a folder of the operator's choice, out of reach of whoever changes the store. */
export interface KeptFolder {
  /** Compares the newest kept one with the store, and adds this one. Never throws: what is wrong is in the status. */
  keep(checkpoint: StoredCheckpoint | undefined): Promise<void>;
  status(): KeptStatus;
}

export interface KeptFolderDeps {
  readonly folder: string;
  readonly tree: Tree;
  /** Called when the status turns bad. */
  readonly onFault: (message: string) => void;
}

/** Of older ones, only the last of each day stays. */
const KEPT_NEWEST = 100;

/**
 * Once the folder disagrees with the store, nothing is added to it or removed from it: it is the evidence, and it is the
 * operator who decides which of the two is right.
 */
export function createKeptFolder({ folder, tree, onFault }: KeptFolderDeps): KeptFolder {
  let current: KeptStatus = { status: 'pass', message: 'No checkpoint was kept yet.' };
  let keptNote: string | undefined;

  function fail(message: string): void {
    if (current.message !== message) onFault(message);
    current = { status: 'fail', message };
  }

  /** What is wrong with the newest kept checkpoint; undefined if the store continues it. */
  async function disagreement(name: string): Promise<string | undefined> {
    const note = await readFile(join(folder, name), 'utf8');
    try {
      const { text } = await verifyNote(note, parseTrustedKeys(tree.signer.trustedKeys), ed25519.verify);
      const { origin, size, root } = parseCheckpoint(text);
      if (origin !== tree.signer.origin) return `The newest kept checkpoint is of another store: ${origin}.`;
      const have = await tree.size();
      if (size > have) {
        return `The newest kept checkpoint signs ${size} events, the journal has ${have}: its end was cut off, or an older copy was restored.`;
      }
      if ((await tree.rootAt(size)) !== toHex(root)) {
        return `The newest kept checkpoint, of ${size} events, does not fit the journal: its history was rewritten.`;
      }
      return undefined;
    } catch (error) {
      if (error instanceof BatonError)
        return `The newest kept checkpoint cannot be relied on: ${error.message}`;
      throw error;
    }
  }

  async function add(checkpoint: StoredCheckpoint | undefined): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = await keptNames(folder);
    const newest = names[0];
    const wrong = newest && (await disagreement(newest));
    if (wrong) return fail(wrong);
    const newestSize = newest === undefined ? 0 : (sizeInFileName(newest) ?? 0);
    // A note that has been cosigned since is written again.
    if (checkpoint && (checkpoint.size > newestSize || (keptNote && checkpoint.size === newestSize))) {
      const name = checkpointFileName(checkpoint.size);
      await writePrivateFile(join(folder, name), checkpoint.note);
      if (checkpoint.size > newestSize) await thinOut(folder, [name, ...names]);
    }
    keptNote = checkpoint?.note;
    const size = Math.max(newestSize, checkpoint?.size ?? 0);
    current = { status: 'pass', message: `Kept up to ${size} events.` };
  }

  return {
    async keep(checkpoint) {
      if (current.status === 'pass' && checkpoint && checkpoint.note === keptNote) return;
      await add(checkpoint).catch((error: unknown) => {
        // Its code only: health is open to all, and the message names paths.
        const { code = 'error' } = error as NodeJS.ErrnoException;
        fail(`Checkpoints cannot be kept (${code}).`);
      });
    },
    status: () => current,
  };
}

/** Newest first. */
async function keptNames(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => sizeInFileName(name) !== undefined)
    .sort()
    .reverse();
}

/** What has just grown old is compared with what grew old before it: of the same day, the older one goes. */
async function thinOut(folder: string, names: readonly string[]): Promise<void> {
  const old = names.slice(KEPT_NEWEST);
  const last = old[0];
  if (last === undefined) return;
  const day = await dayOf(join(folder, last));
  for (const name of old.slice(1)) {
    if (day === undefined || (await dayOf(join(folder, name))) !== day) return;
    await rm(join(folder, name));
  }
}

/** As the checkpoint says under its signature; those of earlier versions do not, and stay. */
async function dayOf(path: string): Promise<string | undefined> {
  const { text } = parseNote(await readFile(path, 'utf8'));
  return linkOf(parseCheckpoint(text))?.time.slice(0, 10);
}
