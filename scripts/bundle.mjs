/** How the programs become bundles of ESM with their dependencies; shared by the build and by the tests of the binary. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { evaluated } from './evaluated.mjs';
import { shortNames } from './short-names.mjs';

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
 * not have, `commander` child processes for commands that are programs, a tenth of a short command's time, and `grpc-js`
 * a reader of protobuf files for services that we do not serve.
 */
const ABSENT = {
  pino: 'thread-stream',
  commander: 'node:child_process',
  '@grpc/grpc-js': '@grpc/proto-loader',
};
const packageOf = (path) => /.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/.exec(path)?.[1] ?? '';

const absent = {
  name: 'absent',
  setup(build) {
    build.onResolve({ filter: /^(thread-stream|node:child_process|@grpc\/proto-loader)$/ }, (asked) =>
      ABSENT[packageOf(asked.importer)] === asked.path
        ? { path: asked.path, namespace: 'absent' }
        : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'absent' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/**
 * Of what a package offers, only what we use: `undici` loads its fetch, WebSockets, caches and mocks with every part (and
 * its parser once more for machines that SQLite's binaries do not run on), `zod` its messages in fifty languages.
 */
const LEAN = [
  [
    /[/\\]undici[/\\]index\.js$/,
    "exports.Pool = require('./lib/dispatcher/pool'); exports.errors = require('./lib/core/errors');",
  ],
  [/[/\\]undici[/\\]lib[/\\]llhttp[/\\]llhttp-wasm\.js$/, 'module.exports = undefined;'],
  [/[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/, "export { default as en } from './en.js';"],
  [
    /[/\\]@simplewebauthn[/\\]server[/\\]esm[/\\]index\.js$/,
    "export { verifyRegistrationResponse } from './registration/verifyRegistrationResponse.js'; export { verifyAuthenticationResponse } from './authentication/verifyAuthenticationResponse.js';",
  ],
];

/**
 * Certificates that say who built an authenticator: no page of ours asks for them, so what reads them and follows them to
 * a root is left out. A passkey that comes with one all the same is refused.
 */
const CERTIFIED =
  /[/\\]@simplewebauthn[/\\]server[/\\]esm[/\\].*[/\\](getCertificateInfo|validateCertificatePath|isCertRevoked|validateExtFIDOGenCEAAGUID|convertX509PublicKeyToCOSE|mapX509SignatureAlgToCOSEAlg|verifyAttestation(?:AndroidKey|AndroidSafetyNet|Apple|FIDOU2F|TPM|WithMetadata))\.js$/;

/** Asks two ASN.1 libraries for what takes a page of code. */
const SIGNATURES = /[/\\]@simplewebauthn[/\\]server[/\\]esm[/\\].*[/\\]unwrapEC2Signature\.js$/;

const lean = {
  name: 'lean',
  setup(build) {
    build.onResolve({ filter: /^@peculiar[/]asn1-(schema|ecc)$/ }, ({ importer }) =>
      SIGNATURES.test(importer) ? { path: join(root, 'scripts/lean/ecdsa-signature.mjs') } : undefined,
    );
    for (const [filter, contents] of LEAN) build.onLoad({ filter }, () => ({ contents }));
    build.onLoad({ filter: CERTIFIED }, ({ path }) => ({
      contents: `export function ${CERTIFIED.exec(path)[1]}() { throw new Error('Certificates of authenticators are not accepted.'); }`,
    }));
    build.onResolve({ filter: /^\.\/ajvProvider-\w+\.mjs$/ }, ({ importer }) =>
      packageOf(importer).startsWith('@modelcontextprotocol/')
        ? { path: join(root, 'scripts/lean/mcp-schema-validator.mjs'), sideEffects: false }
        : undefined,
    );
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
  plugins: [evaluated, absent, lean, shortNames],
};

/** `@baton-ledger/conformance`: the program that runs the suites. */
export const conformanceBundle = {
  ...shared,
  entryPoints: { bin: 'packages/conformance/src/bin.ts' },
  outdir: 'packages/conformance/dist',
  plugins: [shortNames],
};
