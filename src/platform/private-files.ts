/**
 * Whatever Baton writes for its user is for that user alone, whatever the umask says: keys, exports, proofs and records
 * tell of people. Files that belong to a repository keep the modes that the repository gives them.
 */
import {
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { toHex } from '../kernel/hex.ts';
import { nodeRandom } from './node-random.ts';

const OWN_FILE = 0o600;
const OWN_FOLDER = 0o700;
const OTHERS = 0o077;
const ANYONE = 0o007;

/** `w` replaces what is there, `wx` fails if there is anything, `a` adds to it. */
export type WriteFlag = 'w' | 'wx' | 'a';

export async function openPrivateFile(path: string, flag: WriteFlag = 'w'): Promise<FileHandle> {
  const file = await open(path, flag, OWN_FILE);
  try {
    // A file that was there before keeps its mode, and a device has none to change.
    const found = await file.stat();
    if (found.isFile() && (found.mode & OTHERS) !== 0) await file.chmod(OWN_FILE);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

export async function writePrivateFile(
  path: string,
  content: string | Uint8Array,
  flag: WriteFlag = 'w',
): Promise<void> {
  const file = await openPrivateFile(path, flag);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}

/** There with all its content, on disk, or not at all. */
export async function replacePrivateFile(path: string, content: string): Promise<void> {
  const draft = `${path}.${toHex(nodeRandom.bytes(6))}`;
  try {
    const file = await openPrivateFile(draft, 'wx');
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Creates what is missing of the path. Node's own `recursive` tries for ever where a file system takes no folders, as
 * below `/proc`; here that is an error like any other.
 */
export function makePrivateFolder(path: string): void {
  const missing: string[] = [];
  for (let at = resolve(path); !isFolder(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, { mode: OWN_FOLDER });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
    }
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Takes an existing file that anyone can read from everyone but its owner. One that is shared with a group alone was
 * given to it on purpose; another user's is theirs to protect.
 */
export function protectFile(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() && (found.mode & ANYONE) !== 0 && isMine(found.uid)) chmodSync(path, OWN_FILE);
}

/** An empty file for something else to write into. False if it was there. */
export function createPrivateFile(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', OWN_FILE));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** There with all its content, or not at all; what is there already stays. For the moment before anything else runs. */
export function createPrivateFileWith(path: string, content: string): void {
  const draft = `${path}.${toHex(nodeRandom.bytes(6))}`;
  writeFileSync(draft, content, { mode: OWN_FILE, flag: 'wx', flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

export type FolderState = 'private' | 'protected' | 'shared';

/**
 * Makes a folder that holds one of our files, or nothing, readable to its owner alone. `shared`: others can read it and
 * it stays so, because it is another user's, or holds other things that may need it.
 */
export function protectFolder(path: string, ours: readonly string[]): FolderState {
  if (process.platform === 'win32') return 'private';
  const { mode, uid } = statSync(path);
  if ((mode & OTHERS) === 0) return 'private';
  const held = readdirSync(path);
  const own = held.length === 0 || held.some((name) => ours.includes(name));
  if (!own || !isMine(uid)) return 'shared';
  chmodSync(path, OWN_FOLDER);
  for (const name of held) protectFile(join(path, name));
  return 'protected';
}

function isMine(uid: number): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}
