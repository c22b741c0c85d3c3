/**
 * Installs the clients of package.json on demand, each in a folder of its own, so that one that cannot be had leaves
 * the others alone. No install script runs: what the scripts would fetch or copy is in the platform packages.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const HERE = import.meta.dirname;
const WANTED = (
  JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
).dependencies;

export type Installed = { readonly folder: string } | { readonly missing: string };

/** The `node_modules` that holds the packages, or why they could not be installed. */
export async function installPackages(...names: readonly string[]): Promise<Installed> {
  const packages = names.map((name) => `${name}@${versionOf(name)}`);
  const folder = join(
    HERE,
    'node_modules',
    '.clients',
    packages.join('+').replace(/^@/, '').replaceAll(/[@/]+/g, '-'),
  );
  if (!existsSync(folder)) {
    const partial = `${folder}.${process.pid}`;
    try {
      await mkdir(partial, { recursive: true });
      await writeFile(join(partial, 'package.json'), '{ "private": true }\n');
      await promisify(execFile)(
        'npm',
        ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', ...packages],
        { cwd: partial, timeout: 600_000, shell: process.platform === 'win32' },
      );
      // Another worker may have been faster.
      await rename(partial, folder).catch(() => undefined);
    } catch (error) {
      return { missing: `${packages.join(', ')}: ${String(error).split('\n').slice(0, 3).join(' ')}` };
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
  }
  return { folder: join(folder, 'node_modules') };
}

/** `node` itself is a package whose script fetches the program; the program is a package too. */
export const nodePackage = `node-${process.platform}-${process.arch}`;

function versionOf(name: string): string {
  const version = WANTED[name === nodePackage ? 'node' : name];
  if (version === undefined) throw new Error(`${name} is not in test/clients/package.json`);
  return version;
}
