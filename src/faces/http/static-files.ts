import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { decodedPath } from '../../kernel/decoded-path.ts';
import { PAGE_POLICY } from './guard.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * The dashboard's files. A path without a file extension is a page of the single-page app and gets `index.html`;
 * hashed assets never change and are cached for ever.
 */
export function createStaticFiles(root: string): (path: string) => Promise<Response | undefined> {
  return async (path) => {
    const wanted = extname(path) === '' ? 'index.html' : decodedPath(path);
    if (wanted === undefined) return undefined;
    const file = normalize(join(root, wanted.replace(/^\/+/, '')));
    if (!file.startsWith(root + sep)) return undefined;
    const info = await stat(file).catch(() => undefined);
    if (!info?.isFile()) return undefined;
    const page = extname(file) === '.html';
    return new Response(new Uint8Array(await readFile(file)), {
      headers: {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        'cache-control': file.includes(`${sep}assets${sep}`)
          ? 'public, max-age=31536000, immutable'
          : 'no-cache',
        ...(page && { 'content-security-policy': PAGE_POLICY }),
      },
    });
  };
}
