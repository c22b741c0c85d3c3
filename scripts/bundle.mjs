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
    js: "#!/usr/bin/env node\nimport { createRequire as batonCreateRequire } from 'node:module'; const require = batonCreateRequire(import.meta.url);",
  },
};

/** `pino` names `thread-stream` for transports, which the log has none of; a worker would need files of its own. */
const withoutThreads = {
  name: 'without-threads',
  setup(build) {
    build.onResolve({ filter: /^thread-stream$/ }, ({ path }) => ({ path, namespace: 'absent' }));
    build.onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({
      contents: `module.exports = class { constructor() { throw new Error('${path} is not bundled') } }`,
    }));
  },
};

/** The server and the command line. */
export const bundle = {
  ...shared,
  entryPoints: {
    baton: 'src/app/main.ts',
    conform: 'src/slices/delivery/conformance/stdio.ts',
    'verify-worker': 'src/spine/journal/verify-worker.ts',
  },
  outdir: 'dist',
  /** Native code, which is installed as a package; and what `pg` asks for only when told to. */
  external: ['@photostructure/sqlite', 'pg-native'],
  plugins: [evaluated, withoutThreads],
};

/** `@baton-ledger/conformance`: each suite as a module of its own, and the program that runs them. */
export const conformanceBundle = {
  ...shared,
  entryPoints: {
    bin: 'packages/conformance/src/bin.ts',
    agentic: 'packages/conformance/src/agentic/index.ts',
    agentxchain: 'packages/conformance/src/agentxchain/index.ts',
    cra: 'packages/conformance/src/cra/index.ts',
    relay: 'packages/conformance/src/relay/index.ts',
  },
  outdir: 'packages/conformance/dist',
};
