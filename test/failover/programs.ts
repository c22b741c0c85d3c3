import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type Program = 'etcd' | 'haproxy' | 'patroni' | 'pgbouncer' | 'postgres';

const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/** The path of a program; of PostgreSQL, the newest that Debian has installed. */
export function pathOf(program: Program): string | undefined {
  if (program === 'postgres') {
    const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
    return versions
      .sort((one, other) => Number(other) - Number(one))
      .map((version) => join(DEBIAN_POSTGRES, version, 'bin', program))
      .find(existsSync);
  }
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, program)).find(canRun);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Why a drill cannot be held here, in words; undefined if it can. */
export function whyNot(needed: readonly Program[]): string | undefined {
  const missing = needed.filter((program) => pathOf(program) === undefined);
  if (missing.length === 0) return undefined;
  return `${missing.join(', ')} not found. On Debian, scripts/install-failover.sh installs them.`;
}

/** PostgreSQL refuses to run as root: then Debian's user for it runs all of these programs. */
export function runAs(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
