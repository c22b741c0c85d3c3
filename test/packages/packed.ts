import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '../..');
const SOURCES = [
  'src',
  'packages',
  'web',
  'scripts',
  'data',
  'docs',
  'specs/agentxchain/fixtures',
  'package.json',
  'tsconfig.json',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
];
const NAMES = ['baton-ledger', '@baton-ledger/client', '@baton-ledger/conformance'] as const;

export type PackageName = (typeof NAMES)[number];

export interface Packed {
  readonly name: PackageName;
  /** The folder it was packed from. */
  readonly source: string;
  readonly archive: string;
  /** Bytes of the archive. */
  readonly size: number;
  readonly files: readonly string[];
  readonly manifest: { readonly dependencies?: Readonly<Record<string, string>>; readonly private?: boolean };
}

const run = promisify(execFile);

/** npm as a user runs it: without the settings that an npm around the tests hands down. */
export function npm(args: readonly string[], cwd: string): Promise<{ readonly stdout: string }> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(?!config_(registry|cache|userconfig)$)/i.test(name),
    ),
  );
  return run('npm', [...args], { cwd, env, maxBuffer: 64 * 2 ** 20, shell: process.platform === 'win32' });
}

/**
 * Builds and packs the packages in a copy of the checkout: other tests use what is built in the checkout itself, and a
 * copy shows that nothing needs what happens to lie there.
 */
export async function packAll(folder: string): Promise<Readonly<Record<PackageName, Packed>>> {
  const copy = join(folder, 'checkout');
  for (const path of SOURCES) {
    await cp(join(ROOT, path), join(copy, path), {
      recursive: true,
      filter: (file) => !['node_modules', 'dist'].includes(basename(file)),
    });
  }
  for (const place of ['', 'web']) {
    await symlink(join(ROOT, place, 'node_modules'), join(copy, place, 'node_modules'), 'junction');
  }
  // The pages come in React's development form where the environment says `test`.
  await run(process.execPath, ['scripts/build.mjs'], {
    cwd: copy,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const workspaces = NAMES.slice(1).map((name) => `--workspace=${name}`);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await npm([...args, '--include-workspace-root', ...workspaces], copy);
  const listed = JSON.parse(stdout) as {
    name: PackageName;
    filename: string;
    size: number;
    files: { path: string }[];
  }[];
  const packed = await Promise.all(
    listed.map(async ({ name, filename, size, files }): Promise<[PackageName, Packed]> => {
      const source = name === 'baton-ledger' ? copy : join(copy, 'packages', basename(name));
      const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
      const paths = files.map(({ path }) => path);
      return [name, { name, source, archive: join(folder, filename), size, files: paths, manifest }];
    }),
  );
  return Object.fromEntries(packed) as Record<PackageName, Packed>;
}

/** Installs one package into an empty folder, with production dependencies only. */
export async function installIn(folder: string, { archive }: Packed): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await npm(['install', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline', archive], folder);
  return folder;
}
