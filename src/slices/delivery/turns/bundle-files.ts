import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { BundleFiles } from './rules/manifest.ts';

/** Every regular file of a bundle, subdirectories too. A symbolic link counts by the link, not by what it shows. */
export async function readBundle(directory: string): Promise<BundleFiles> {
  const files = new Map<string, Uint8Array>();
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  for (const name of names.sort()) {
    const file = join(directory, name);
    const info = await lstat(file);
    const path = relative(directory, file).split(sep).join('/');
    if (info.isFile()) files.set(path, await readFile(file));
    else if (info.isSymbolicLink()) files.set(path, new TextEncoder().encode(`symbolic link: ${path}`));
  }
  return files;
}
