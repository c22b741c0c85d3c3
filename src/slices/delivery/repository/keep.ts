import { realpathSync } from 'node:fs';
import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Hasher } from '../../../kernel/hasher.ts';
import { asRecord, asStrings, isRecord } from '../../../kernel/json/loose.ts';
import { tryParse } from '../parse.ts';
import { ifMissing, replaceUnflushed, writeAtomically } from './files.ts';
import type { Surroundings } from './git-surroundings.ts';
import { fileSafe, within } from './paths.ts';

/**
 * Where Baton keeps what it knows of a repository, outside it: the governed files as they were last written, the journal
 * of a change in progress, the leases of turns and their work trees. Whoever works in the repository is not trusted with it.
 */
export interface Keep {
  readonly dir: string;
  /** Laid out as the repository is, with nothing but its governed files. */
  readonly copies: string;
  readonly journal: string;
  readonly lock: string;
  readonly turns: string;
}

/** What else is known of a repository; the copies say the rest. */
export interface KeepRecord {
  /** The copies hold: there is something to compare the repository with. */
  readonly pinned: boolean;
  /** Governed because the pinned config names them. */
  readonly prompts: readonly string[];
  /** Paths that were changed, and put back, while these turns were at work. */
  readonly suspects: Readonly<Record<string, readonly string[]>>;
  /** The project of a server that decides at this run's gates. */
  readonly attached: Attachment | null;
  /** Git as it was when the first of the turns now at work was handed out; null while none is. */
  readonly git: GitPins | null;
  /** Commits on the branch that Baton made, or that a person has vouched for. */
  readonly commits: readonly string[];
}

export interface Attachment {
  readonly repository_id: string;
  readonly project_id: string;
}

export interface GitPins {
  readonly head: string | null;
  /** The branch that is checked out. */
  readonly branch?: string;
  /** What git reads besides. */
  readonly around?: Surroundings;
  /** Files below the git directory, each with its content in base64; null for one that was not there. */
  readonly files: Readonly<Record<string, string>>;
}

/** One thing that somebody else did to governed files, and what became of it. */
export interface Finding {
  readonly at: string;
  readonly kind: 'restored' | 'adopted' | 'refused' | 'commits';
  readonly paths: readonly string[];
  /** The turns that were at work then. */
  readonly turns: readonly string[];
  readonly by?: string;
  /** Where what was found has been put aside. */
  readonly saved?: string;
}

const EMPTY: KeepRecord = {
  pinned: false,
  prompts: [],
  suspects: {},
  attached: null,
  git: null,
  commits: [],
};
const NAME_DIGITS = 16;

/** Where all keeps are, in Baton's data directory. */
export function runsFolder(dataDir: string): string {
  return join(dataDir, 'runs');
}

/** The keep of the repository at `root` in the folder `base`. Nothing is created. */
export function keepOf(base: string, root: string, hasher: Hasher): Keep {
  const real = realPath(root);
  const digest = hasher.hex(new TextEncoder().encode(real)).slice(0, NAME_DIGITS);
  const dir = join(base, `${fileSafe(basename(real))}-${digest}`);
  return {
    dir,
    copies: join(dir, 'files'),
    journal: join(dir, 'journal'),
    lock: join(dir, 'lock'),
    turns: join(dir, 'turns'),
  };
}

function realPath(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return resolve(root);
  }
}

/** Where to read governed files without a lock: what Baton wrote, once it has written something. */
export async function trustedRoot(root: string, keep: Keep): Promise<string> {
  return (await readRecord(keep)).pinned ? keep.copies : root;
}

export async function readRecord(keep: Keep): Promise<KeepRecord> {
  const bytes = await readFile(join(keep.dir, 'record.json')).catch(ifMissing(undefined));
  const read = bytes === undefined ? undefined : tryParse(bytes);
  return isRecord(read) ? { ...EMPTY, ...(read as Partial<KeepRecord>) } : EMPTY;
}

export async function writeRecord(keep: Keep, changes: Partial<KeepRecord>): Promise<KeepRecord> {
  const next = { ...(await readRecord(keep)), ...changes };
  await writeAtomically(join(keep.dir, 'record.json'), JSON.stringify(next));
  return next;
}

/** Commits that are no surprise on the branch; the last of them is where it is now. */
export async function vouchFor(keep: Keep, made: readonly string[]): Promise<void> {
  const { commits, git } = await readRecord(keep);
  const head = made.at(-1);
  await writeRecord(keep, {
    commits: [...new Set([...commits, ...made])],
    ...(git !== null && head !== undefined && { git: { ...git, head } }),
  });
}

/** What is at a path that must hold a regular file; a link, a folder or anything else is not what was written there. */
export async function regularFile(file: string): Promise<Buffer | 'absent' | 'irregular'> {
  const info = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (info === undefined) return 'absent';
  if (!info.isFile()) return 'irregular';
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES' || error.code === 'EPERM') return 'irregular' as const;
    // Somebody took it away in between.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return 'absent' as const;
    throw error;
  });
}

/** Every file below a folder of a root, by its path in that root. */
export async function filesBelow(root: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(within(root, folder), { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => `${folder}/${entry.name}`);
}

/** Puts a regular file where anything may be. It is flushed, or noted where somebody else flushes. */
export async function replaceFile(file: string, bytes: Uint8Array, noted?: Set<string>): Promise<void> {
  const there = await lstat(file).catch(() => undefined);
  if (there !== undefined && !there.isFile()) await rm(file, { recursive: true, force: true });
  if (noted === undefined) await writeAtomically(file, bytes);
  else await replaceUnflushed(file, bytes, noted);
}

/** The instruction files of roles, which a pinned config makes governed. */
export function promptPaths(rawConfig: unknown): readonly string[] {
  return asStrings(Object.values(asRecord(asRecord(rawConfig).prompts)));
}
