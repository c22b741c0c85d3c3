/**
 * Builds `@baton-ledger/client`: its modules and those of the kernel that they need, as ESM with types. The operation
 * table and the types of arguments and results are generated, so that the package has no dependency.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { typesSource } from './client-types.mjs';
import { evaluate } from './evaluated.mjs';

const TABLE = `import type { CallableOperation } from './spine/operations/flat-input.js';
import type { Operations } from './types.js';

export type { CallableOperation };

/** Everything a Baton server can be asked, by name: what it takes to send a request. */
export const operations: Readonly<Record<keyof Operations, CallableOperation>> = `;

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
    await compile(staged, ['index.ts', 'verify.ts'], join(home, 'dist'));
    await slim(join(home, 'dist'));
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

async function compile(folder, entries, outDir) {
  const options = {
    rootDir: '.',
    outDir,
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'NodeNext',
    types: [],
    declaration: true,
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

/** Without the comments of the code and with narrow indents, since every page that bundles the client loads it. */
async function slim(folder) {
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    if (name.endsWith('.d.ts')) {
      const text = await readFile(path, 'utf8');
      await writeFile(
        path,
        text.replace(/^(?: {4})+/gm, (indent) => '\t'.repeat(indent.length / 4)),
      );
    } else if (name.endsWith('.js')) {
      const { code } = await transform(await readFile(path, 'utf8'), { format: 'esm', target: 'es2022' });
      await writeFile(path, code);
    }
  }
}
