import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/** A folder under git, by its real path. */
export interface Repository {
  readonly root: string;
}

/** The repository around a folder: the nearest one that holds `.git`. */
export function repositoryAt(folder: string): Repository | undefined {
  let at: string;
  try {
    at = realpathSync(folder);
  } catch {
    return undefined;
  }
  for (;;) {
    if (existsSync(join(at, '.git'))) return { root: at };
    if (dirname(at) === at) return undefined;
    at = dirname(at);
  }
}

/** Where git keeps the patterns that are this clone's alone. */
export async function excludeFile({ root }: Repository): Promise<string | undefined> {
  const path = await git(root, 'rev-parse', '--git-path', 'info/exclude');
  return path === undefined ? undefined : resolve(root, path);
}

/** Whether git has the file in its index: then whoever changes it changes something that others get. */
export async function isTracked({ root }: Repository, path: string): Promise<boolean> {
  return (await git(root, 'ls-files', '--error-unmatch', '--', relative(root, path))) !== undefined;
}

export async function isIgnored({ root }: Repository, path: string): Promise<boolean> {
  return (await git(root, 'check-ignore', '-q', '--', relative(root, path))) !== undefined;
}

/** `github.com/acme/shop`: the address of `origin` without scheme, user, password, port and `.git`. */
export async function remoteOf({ root }: Repository): Promise<string | undefined> {
  const url = await git(root, 'config', '--get', 'remote.origin.url');
  return url === undefined ? undefined : remoteName(url);
}

export function remoteName(url: string): string | undefined {
  const scp = /^(?:[^@/\\]+@)?([^:/\\]{2,}):(?!\/\/)(.+)$/.exec(url);
  const full = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^:/]+)(?::\d+)?\/(.+)$/i.exec(url);
  const [, host, path] = full ?? scp ?? [];
  if (host === undefined || path === undefined) return undefined;
  const words = path
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  return `${host.toLowerCase()}/${words.replace(/^\/+/, '')}`;
}

/** A project's name from that of a repository: what every shell, URL and file name takes. */
export function projectName({ root }: Repository, remote: string | undefined): string {
  const name = (remote?.split('/').at(-1) ?? basename(root))
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[-._]+|[-._]+$/g, '')
    .toLowerCase()
    .slice(0, 60);
  return name === '' ? 'project' : name;
}

export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && resolve(root, way) === resolve(path);
}

/** Undefined where git fails. No program that a repository's own configuration names is started. */
function git(root: string, ...args: string[]): Promise<string | undefined> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const calm = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  return new Promise((done) => {
    execFile('git', ['-C', root, ...calm, ...args], { env, timeout: 10_000 }, (error, stdout) =>
      done(error ? undefined : stdout.trim()),
    );
  });
}
