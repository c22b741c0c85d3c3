/** The search of this checkout, or of another one, to be measured side by side. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { createSearchIndex } from '../../src/spine/search/search-index.ts';
import { searchMigrations } from '../../src/spine/search/store/migrations.ts';
import { createStaticEmbedder } from '../../src/spine/search/vectors/static-embedder.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';

export interface SearchVersion {
  readonly createSearchIndex: typeof createSearchIndex;
  readonly searchMigrations: typeof searchMigrations;
  readonly createStaticEmbedder: typeof createStaticEmbedder;
  readonly openDatabase: typeof openDatabase;
}

export const thisVersion: SearchVersion = {
  createSearchIndex,
  searchMigrations,
  createStaticEmbedder,
  openDatabase,
};

const EXPORTS = `
  export { createSearchIndex } from './src/spine/search/search-index.ts';
  export { searchMigrations } from './src/spine/search/store/migrations.ts';
  export { createStaticEmbedder } from './src/spine/search/vectors/static-embedder.ts';
  export { openDatabase } from './src/spine/storage/open.ts';`;

/** `checkout`: a folder with its sources, its data and its dependencies. */
export async function versionIn(checkout: string): Promise<SearchVersion> {
  const folder = join(checkout, 'bench', '.bundle');
  await mkdir(folder, { recursive: true });
  const outfile = join(folder, 'search.mjs');
  await build({
    stdin: { contents: EXPORTS, resolveDir: checkout, loader: 'ts' },
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  return (await import(pathToFileURL(outfile).href)) as SearchVersion;
}
