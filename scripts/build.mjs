/**
 * Builds what a user runs: the server and CLI as one bundle with its dependencies (start-up is a feature), and the
 * dashboard. `--watch` rebuilds the bundle on change; `--no-web` leaves the dashboard out.
 */
import { chmod, cp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';
import { bundle } from './bundle.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const watch = process.argv.includes('--watch');
const web = !process.argv.includes('--no-web');

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
