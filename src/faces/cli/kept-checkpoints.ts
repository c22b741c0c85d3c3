import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fromHex } from '../../kernel/base64.ts';
import { BatonError } from '../../kernel/error.ts';
import { decodeUtf8 } from '../../kernel/json/utf8.ts';
import { verifyConsistency } from '../../kernel/merkle/verify.ts';
import { parseCheckpoint } from '../../kernel/note/checkpoint.ts';
import { checkpointFileName, sizeInFileName } from '../../kernel/note/checkpoint-file.ts';
import { parseNote, verifyNote } from '../../kernel/note/signed-note.ts';
import { parseVerifierKey, type VerifierKey } from '../../kernel/note/verifier-key.ts';
import { ed25519, nodeHasher, writePrivateFile } from '../../platform/index.ts';
import { cliErrors } from './errors.ts';
import { readInput } from './input.ts';

/** The notes in these files, and in all files of these folders that are called as Baton calls them. */
export async function readKept(paths: readonly string[]): Promise<string[]> {
  const notes: string[] = [];
  for (const path of paths) {
    const files = (await isFolder(path)) ? await checkpointsIn(path) : [path];
    for (const file of files) notes.push(decodeUtf8(await readInput(file)));
  }
  return notes;
}

/** Returns the file; a folder gets one that is named by the size. */
export async function writeKept(path: string, note: string): Promise<string> {
  const { size } = parseCheckpoint(parseNote(note).text);
  const file = (await isFolder(path)) ? join(path, checkpointFileName(size)) : path;
  await writePrivateFile(file, note).catch((cause) => {
    throw cliErrors.file_unwritable({ message: `${file} cannot be written.`, cause });
  });
  return file;
}

export interface Consistency {
  readonly path: readonly string[];
}

/**
 * Checks here, without relying on what the server found, that its newest checkpoint continues a kept one. Returns what
 * is wrong; undefined if nothing is.
 */
export async function brokenSince(
  kept: string,
  newest: string,
  keys: readonly string[],
  consistency: (first: number, second: number) => Promise<Consistency>,
): Promise<string | undefined> {
  const trusted = keys.map((key) => parseVerifierKey(nodeHasher, key));
  const untrusted = trusted.length > 0 && (await whyUntrusted(newest, trusted));
  if (untrusted) return untrusted;
  const first = parseCheckpoint(parseNote(kept).text);
  const second = parseCheckpoint(parseNote(newest).text);
  if (first.size > second.size) return `It signs ${second.size} events, a kept checkpoint ${first.size}.`;
  const { path } = await consistency(first.size, second.size);
  const holds = verifyConsistency(nodeHasher, {
    first: first.size,
    firstRoot: first.root,
    second: second.size,
    secondRoot: second.root,
    path: path.map((hash) => fromHex(hash) ?? new Uint8Array(0)),
  });
  return holds ? undefined : `Its proof does not continue the kept checkpoint of ${first.size} events.`;
}

async function whyUntrusted(note: string, keys: readonly VerifierKey[]): Promise<string | undefined> {
  try {
    await verifyNote(note, keys, ed25519.verify);
    return undefined;
  } catch (error) {
    if (error instanceof BatonError) return `Its newest checkpoint: ${error.message}`;
    throw error;
  }
}

async function checkpointsIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => sizeInFileName(name) !== undefined).sort();
  if (names.length === 0) {
    throw cliErrors.file_unreadable({ message: `${folder} has no file of a kept checkpoint.` });
  }
  return names.map((name) => join(folder, name));
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
