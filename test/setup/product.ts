import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundle } from '../../scripts/bundle.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules', '.cache', 'baton-test');
const SOURCES = ['src', 'packages/client/src', 'packages/conformance/src', 'scripts', 'package-lock.json'];

/** The binary as it is built for users, from the sources as they are; made once for all test files. */
export async function builtProduct(): Promise<string> {
  const folder = join(CACHE, `product-${await fingerprint()}`);
  if (!existsSync(folder)) {
    const partial = `${folder}.${process.pid}`;
    await build({ ...bundle, outdir: partial, sourcemap: false, logLevel: 'silent' });
    // Another worker may have been faster.
    await rename(partial, folder).catch(() => rm(partial, { recursive: true, force: true }));
  }
  return join(folder, 'baton.js');
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(ROOT);
  for (const source of SOURCES) {
    const path = join(ROOT, source);
    const files = (await stat(path)).isDirectory()
      ? (await readdir(path, { recursive: true })).map((name) => join(path, name)).sort()
      : [path];
    const stats = await Promise.all(files.map((file) => stat(file)));
    for (const [at, { size, mtimeMs }] of stats.entries()) hash.update(`${files[at]} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
