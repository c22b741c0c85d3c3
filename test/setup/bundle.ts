import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/baton-test', import.meta.url));

const made = new Map<string, Promise<string>>();

/** Makes one file of a TypeScript entry for a child process; it lies where the packages can still be found. */
export function bundleForNode(entry: string): Promise<string> {
  const bundle = made.get(entry) ?? makeBundle(entry);
  made.set(entry, bundle);
  return bundle;
}

async function makeBundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [resolve(entry)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'silent',
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  const digest = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const path = join(CACHE, `${basename(entry).replace(/\.[cm]?tsx?$/, '')}-${digest}.mjs`);
  const partial = `${path}.${process.pid}`;
  await mkdir(CACHE, { recursive: true });
  await writeFile(partial, code);
  // Another worker may be making the same file, or running it.
  await rename(partial, path);
  return path;
}
