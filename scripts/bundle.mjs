/** How the programs become bundles of ESM with their dependencies; shared by the build and by the tests of the binary. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { evaluated } from './evaluated.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const shared = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'linked',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as batonCreateRequire } from 'node:module'; const require = /* @__PURE__ */ (() => batonCreateRequire(import.meta.url))();",
  },
};

/**
 * What packages load for features that nothing here uses: `pino` threads for its transports, whose files a bundle does
 * not have, and `commander` child processes for commands that are programs, a tenth of a short command's time.
 */
const ABSENT = { pino: 'thread-stream', commander: 'node:child_process' };

const absent = {
  name: 'absent',
  setup(build) {
    build.onResolve({ filter: /^(thread-stream|node:child_process)$/ }, ({ path, importer }) => {
      const from = /[/\\]node_modules[/\\](\w+)[/\\]/.exec(importer)?.[1] ?? '';
      return ABSENT[from] === path ? { path, namespace: 'absent' } : undefined;
    });
    build.onLoad({ filter: /./, namespace: 'absent' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** The server and the command line. */
export const bundle = {
  ...shared,
  entryPoints: {
    baton: 'src/app/main.ts',
    conform: 'src/slices/delivery/conformance/stdio.ts',
    'verify-worker': 'src/app/verify-worker.ts',
    'work-thread': 'src/app/work-thread.ts',
  },
  outdir: 'dist',
  /** Native code, which is installed as a package; and what `pg` asks for only when told to. */
  external: ['@photostructure/sqlite', 'pg-native'],
  plugins: [evaluated, absent],
};

/** `@baton-ledger/conformance`: the program that runs the suites. */
export const conformanceBundle = {
  ...shared,
  entryPoints: { bin: 'packages/conformance/src/bin.ts' },
  outdir: 'packages/conformance/dist',
};
