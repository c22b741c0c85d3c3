import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

const web = resolve(import.meta.dirname, '../../web');

/**
 * Builds the pages as they are now, over what lies there: another suite may be serving it. In a process of its own,
 * because here the environment says `test`, and React would come in its development form.
 */
export async function buildDashboard(): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  await promisify(execFile)(
    process.execPath,
    [vite, 'build', web, '--emptyOutDir=false', '--logLevel=error'],
    {
      env: { ...process.env, NODE_ENV: 'production' },
    },
  );
}

/** What a browser must fetch before the first page shows, compressed. */
export async function initialScriptBytes(): Promise<number> {
  const page = await readFile(resolve(web, 'dist/index.html'), 'utf8');
  const scripts = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map((match) => match[1]!);
  const sizes = await Promise.all(
    scripts.map(async (path) => gzipSync(await readFile(resolve(web, 'dist', path))).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
