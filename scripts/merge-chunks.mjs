/**
 * Makes the command line start fast. Code splitting leaves what every command needs in some twenty small modules, and to
 * open a module costs a start more than to read it, the more so for ESM, which Node reads asynchronously. They become
 * one CommonJS file, `core.cjs`; where each stood, it is re-exported. `baton.cjs` is the program on top of it: with
 * both, `baton whoami` starts in two thirds of the time.
 */
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/**
 * `needed`: sources that the bundle has as entry points or imports dynamically; the program imports the first. `apart`:
 * one that the program imports too and that becomes a CommonJS file of its own, with nothing of the others.
 */
export async function mergeChunks(root, options, { outputs }, program, needed, apart) {
  const folder = join(root, options.outdir);
  const chunkOf = (source) => Object.keys(outputs).find((path) => outputs[path].entryPoint === source);
  const chunks = needed.map(chunkOf);
  const alone = basename(chunkOf(apart.source));
  const merged = [...closureOf(outputs, chunks)].map((path, at) => ({
    file: basename(path),
    // The names of the first chunk stay as they are, for the program.
    names: outputs[path].exports.map((name) => [name, at === 0 ? name : `${name}_${at}`]),
  }));
  const files = new Set(merged.map(({ file }) => file));
  const again = (place) => ({
    ...options,
    entryPoints: undefined,
    outdir: undefined,
    splitting: false,
    format: 'cjs',
    banner: {},
    define: { 'import.meta.url': '__filename' },
    plugins: [dynamicImports(place), directBuiltins],
  });
  await build({
    ...again((file) => (files.has(file) ? undefined : file)),
    stdin: { contents: merged.map(exportsFrom).join(''), resolveDir: folder },
    outfile: join(folder, 'core.cjs'),
  });
  await build({
    ...again((file) => file),
    entryPoints: [join(folder, alone)],
    outfile: join(folder, apart.file),
  });
  const required = new Map([
    [basename(chunks[0]), 'core.cjs'],
    [alone, apart.file],
  ]);
  // The program stays apart, so that a version costs nothing.
  await build({
    ...again((file) => required.get(file) ?? file),
    entryPoints: [join(folder, program)],
    outfile: join(folder, program.replace(/\.js$/, '.cjs')),
    supported: { 'dynamic-import': false },
  });
  const names = merged.flatMap((chunk) => chunk.names.map(([, alias]) => alias));
  await writeFile(
    join(folder, 'core.js'),
    `import { createRequire } from 'node:module';
const core = createRequire(import.meta.url)('./core.cjs');
export const { ${names.join(', ')} } = core;
`,
  );
  for (const { file, names } of merged) {
    await writeFile(join(folder, file), reexports(names));
    await rm(join(folder, `${file}.map`), { force: true });
  }
}

/** The chunks and all that they import, but for what they import dynamically. */
function closureOf(outputs, paths, found = new Set()) {
  for (const path of paths) {
    if (found.has(path)) continue;
    found.add(path);
    const imported = outputs[path].imports.filter(
      ({ kind, external }) => kind === 'import-statement' && !external,
    );
    closureOf(
      outputs,
      imported.map((one) => one.path),
      found,
    );
  }
  return found;
}

/** Dynamic imports stay imports of the file that `place` names, or become part of the bundle where it names none. */
function dynamicImports(place) {
  return {
    name: 'dynamic-imports',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ kind, path }) => {
        const file = kind === 'dynamic-import' ? place(basename(path)) : undefined;
        return file === undefined ? undefined : { path: `./${file}`, external: true };
      });
    },
  };
}

/** An import of Node's own makes a module of everything that it exports, and loads what of it is loaded lazily. */
const directBuiltins = {
  name: 'direct-builtins',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path }) => ({
      path,
      namespace: 'builtin',
      sideEffects: false,
    }));
    build.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
  },
};

function exportsFrom({ file, names }) {
  return `export { ${names.map(([name, alias]) => `${name} as ${alias}`).join(', ')} } from './${file}';\n`;
}

function reexports(names) {
  return `export { ${names.map(([name, alias]) => `${alias} as ${name}`).join(', ')} } from './core.js';\n`;
}
