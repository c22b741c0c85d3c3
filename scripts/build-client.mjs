/**
 * Builds `@baton-ledger/client`: its modules and those of the kernel that they need, as ESM with types. The operation
 * table and the types of arguments and results are generated, so that the package has no dependency.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { typesSource } from './client-types.mjs';
import { evaluate } from './evaluated.mjs';

const TABLE = `import type { CallableOperation } from './spine/operations/flat-input.js';
import type { Operations } from './types.js';

export type { CallableOperation };

/** Everything a Baton server can be asked, by name: what it takes to send a request. */
export const operations: Readonly<Record<keyof Operations, CallableOperation>> = `;

const ENTRIES = ['index.ts', 'verify.ts'];

export async function buildClient(root) {
  const home = join(root, 'packages/client');
  const { exports } = await evaluate({
    text: `export { operations } from './packages/client/src/operations.ts';
      export { operations as table } from './packages/client/src/table.ts';
      export { jsonSchema } from './src/spine/operations/json-schema.ts';`,
    folder: root,
  });
  await rm(join(home, 'dist'), { recursive: true, force: true });
  const staged = await mkdtemp(join(tmpdir(), 'baton-client-'));
  try {
    await stage(join(home, 'src'), staged);
    await stage(join(root, 'src/kernel'), join(staged, 'kernel'));
    await stage(join(root, 'src/spine/operations'), join(staged, 'spine/operations'));
    await writeFile(join(staged, 'types.ts'), typesSource(exports.operations, exports.jsonSchema));
    await writeFile(join(staged, 'table.ts'), `${TABLE}${rows(exports.table)};\n`);
    const dist = join(home, 'dist');
    await declare(staged, ENTRIES, dist);
    await keepReachable(dist, ENTRIES);
    await bundle(staged, ENTRIES, dist);
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** Copies sources; what they import stands inside the package, and goes by the names it has when built. */
async function stage(from, to) {
  for (const name of await readdir(from, { recursive: true })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    const text = await readFile(join(from, name), 'utf8');
    await mkdir(dirname(join(to, name)), { recursive: true });
    await writeFile(
      join(to, name),
      text.replaceAll("'../../../src/", "'./").replace(/(from|import\() ?'(\.[^']*)\.ts'/g, "$1 '$2.js'"),
    );
  }
}

function rows(table) {
  const lines = Object.entries(table).map(
    ([name, row]) => `  ${JSON.stringify(name)}: ${JSON.stringify(row)},\n`,
  );
  return `{\n${lines.join('')}}`;
}

/** Checks the sources as their users will, and writes the types. */
async function declare(folder, entries, outDir) {
  const options = {
    rootDir: '.',
    outDir,
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'NodeNext',
    types: [],
    declaration: true,
    emitDeclarationOnly: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
  };
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: entries }),
  );
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', join(folder, 'tsconfig.json')]).catch((error) => {
    throw new Error(`@baton-ledger/client does not compile:\n${error.stdout || error.message}`);
  });
}

/** The types of what the entries export, with narrow indents; those of the inside are nobody's business. */
async function keepReachable(folder, entries) {
  const wanted = new Set();
  const queue = entries.map((entry) => entry.replace(/\.ts$/, '.d.ts'));
  for (const name of queue) {
    if (wanted.has(name)) continue;
    wanted.add(name);
    const text = await readFile(join(folder, name), 'utf8');
    for (const [, path] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.js['"]/g)) {
      queue.push(posix.join(posix.dirname(name), `${path}.d.ts`));
    }
    await writeFile(
      join(folder, name),
      text.replace(/^(?: {4})+/gm, (indent) => '\t'.repeat(indent.length / 4)),
    );
  }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).replaceAll('\\', '/');
    if (entry.isFile() && !wanted.has(name)) await rm(path);
  }
}

/** One file for each entry and one for what both need, without comments: every page that bundles the client loads it. */
async function bundle(folder, entries, outdir) {
  await build({
    entryPoints: entries.map((entry) => join(folder, entry)),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
  });
}
