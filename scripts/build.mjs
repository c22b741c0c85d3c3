/**
 * Builds what users install: the server and command line as one bundle with its dependencies (start-up is a feature),
 * the dashboard, the client and the conformance suites. `--watch` rebuilds the bundle on change; `--no-web` leaves the
 * dashboard out, and `--no-packages` the client and the suites.
 */
import { chmod, cp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';
import { buildClient } from './build-client.mjs';
import { bundle, conformanceBundle } from './bundle.mjs';
import { mergeChunks } from './merge-chunks.mjs';
import { noticesText } from './notices.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const PACKAGES = ['packages/client', 'packages/conformance'];
/** What a command against a running server loads. */
const EVERY_COMMAND = [
  'src/app/command-line.ts',
  'src/app/connection.ts',
  'src/faces/cli/output.ts',
  'src/faces/cli/renderers.ts',
];
/** Stands in the way of every tool call of a coding agent. */
const HOOK = { source: 'src/app/hook/run-hook.ts', file: 'hook.cjs' };
const wanted = (part) => !process.argv.includes(`--no-${part}`);

async function buildBundle(options, program, needed) {
  const folder = join(root, options.outdir);
  await rm(folder, { recursive: true, force: true });
  const { metafile } = await build(options);
  await chmod(join(folder, program), 0o755);
  if (needed) await mergeChunks(root, options, metafile, program, needed, HOOK);
  return Object.keys(metafile.inputs);
}

/** Answers which modules the pages are made of; Tailwind's are style sheets, which no list of modules names. */
async function buildPages() {
  const { build: buildWithVite } = await import('vite');
  const { output } = await buildWithVite({ root: join(root, 'web'), logLevel: 'warn' });
  return [...output.flatMap(({ moduleIds }) => moduleIds ?? []), 'node_modules/tailwindcss/index.css'];
}

async function buildProduct() {
  const [server, pages] = await Promise.all([
    buildBundle(bundle, 'baton.js', EVERY_COMMAND),
    wanted('web') ? buildPages() : [],
  ]);
  await writeFile(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), await noticesText(root, [...server, ...pages]));
}

/** npm takes a licence from the package's own folder only. */
const copyLicence = (folder) => cp(join(root, 'LICENSE'), join(root, folder, 'LICENSE'));

async function buildConformance() {
  const modules = await buildBundle(conformanceBundle, 'bin.js');
  const folder = join(root, conformanceBundle.outdir);
  await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), await noticesText(root, modules));
  await cp(join(root, 'specs/agentxchain/fixtures'), join(folder, 'agentxchain-fixtures'), {
    recursive: true,
  });
}

if (process.argv.includes('--watch')) {
  const running = await context(bundle);
  await running.watch();
} else {
  const started = performance.now();
  await Promise.all([
    buildProduct(),
    ...(wanted('packages') ? [buildClient(root), buildConformance(), ...PACKAGES.map(copyLicence)] : []),
  ]);
  console.log(`built in ${Math.round(performance.now() - started)} ms`);
}
