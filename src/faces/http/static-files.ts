import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { decodedPath } from '../../kernel/decoded-path.ts';
import { acceptedEncoding, createCompressor } from './compressed.ts';
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

export type StaticFiles = (path: string, acceptEncoding: string | undefined) => Promise<Response | undefined>;

const COMPRESSIBLE: ReadonlySet<string> = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt']);

/**
 * The dashboard's files. A path without a file extension is a page of the single-page app and gets `index.html`;
 * hashed assets never change and are cached for ever.
 */
export function createStaticFiles(root: string): StaticFiles {
  const compress = createCompressor();
  return async (path, acceptEncoding) => {
    const wanted = extname(path) === '' ? 'index.html' : decodedPath(path);
    if (wanted === undefined) return undefined;
    const file = normalize(join(root, wanted.replace(/^\/+/, '')));
    if (!file.startsWith(root + sep)) return undefined;
    const info = await stat(file).catch(() => undefined);
    if (!info?.isFile()) return undefined;
    const page = extname(file) === '.html';
    const plain = new Uint8Array(await readFile(file));
    const compressible = COMPRESSIBLE.has(extname(file));
    const encoding = compressible ? acceptedEncoding(acceptEncoding) : undefined;
    const smaller = encoding && (await compress(`${file} ${info.mtimeMs} ${info.size}`, plain, encoding));
    return new Response(smaller ?? plain, {
      headers: {
        ...(compressible && { vary: 'accept-encoding' }),
        ...(smaller && { 'content-encoding': encoding }),
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        'cache-control': file.includes(`${sep}assets${sep}`)
          ? 'public, max-age=31536000, immutable'
          : 'no-cache',
        ...(page && { 'content-security-policy': PAGE_POLICY }),
      },
    });
  };
}
