import { build } from 'esbuild';

/** As the product is bundled, so that what is measured is what users run. */
export async function bundle(entry, file) {
  await build({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  return file;
}
