/** A person's machine: a home, and repositories that their clients work in. Nothing of it reaches beyond loopback. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { homesIn } from '../setup/homes.ts';

export interface Machine {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Makes a git repository with one commit, and answers its root. */
  repository(name: string): Promise<string>;
  /** Puts a program on the path, as an installation does. */
  program(name: string, command: string, args: readonly string[]): Promise<void>;
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string | undefined>;
  leave(): Promise<void>;
}

export async function openMachine(): Promise<Machine> {
  const root = await mkdtemp(join(tmpdir(), 'baton-clients-'));
  const home = join(root, 'home');
  const bin = join(root, 'bin');
  await mkdir(home);
  await mkdir(bin);
  const env = {
    PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
    ...homesIn(home),
    NO_COLOR: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.test',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.test',
    // A client that asks anything outside is refused at once, instead of waiting for a name to resolve.
    HTTP_PROXY: 'http://127.0.0.1:9',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
    npm_config_registry: 'http://127.0.0.1:9/',
  };
  return {
    home,
    env,
    async repository(name) {
      const folder = join(root, name);
      await mkdir(folder);
      await writeFile(join(folder, 'README.md'), `# ${name}\n`);
      const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, stdio: 'ignore' });
      git('init', '-q', '-b', 'main');
      git('add', '.');
      git('commit', '-q', '-m', 'Begin');
      return folder;
    },
    program: (name, command, args) =>
      writeFile(
        join(bin, name),
        `#!/bin/sh\nexec ${[command, ...args].map((word) => `'${word}'`).join(' ')} "$@"\n`,
        {
          mode: 0o755,
        },
      ),
    async write(path, text) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    },
    read: async (path) => (existsSync(path) ? readFile(path, 'utf8') : undefined),
    leave: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}
