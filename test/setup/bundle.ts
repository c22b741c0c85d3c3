import { mkdir, mkdtemp } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/baton-test', import.meta.url));

/** Makes one file of a TypeScript entry for a child process; it lies where the packages can still be found. */
export async function bundleForNode(entry: string): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'bundle-'));
  const outfile = join(folder, `${basename(entry).replace(/\.[cm]?tsx?$/, '')}.mjs`);
  await build({
    entryPoints: [resolve(entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'silent',
  });
  return outfile;
}
