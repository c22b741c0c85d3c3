import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tamperCode } from './rules.ts';

/** The bytes that files must keep; null for a file that must stay absent. */
export type Guarded = ReadonlyMap<string, Uint8Array | null>;

export async function guard(root: string, paths: readonly string[]): Promise<Guarded> {
  const entries = await Promise.all(
    paths.map(async (path) => [path, await bytesOf(join(root, path))] as const),
  );
  return new Map(entries);
}

/** Restores every file that differs, and returns the tamper codes. */
export async function restoreTampered(root: string, guarded: Guarded): Promise<readonly string[]> {
  const codes = new Set<string>();
  for (const [path, before] of guarded) {
    const file = join(root, path);
    if (isSame(before, await bytesOf(file))) continue;
    codes.add(tamperCode(path));
    await rm(file, { recursive: true, force: true });
    if (before === null) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, before);
  }
  return [...codes];
}

async function bytesOf(file: string): Promise<Uint8Array | null> {
  try {
    return await readFile(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return null;
    // Replaced by a directory, or made unreadable.
    return new Uint8Array([0xff, 0xfe, 0x00]);
  }
}

function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b;
  return Buffer.compare(a, b) === 0;
}
