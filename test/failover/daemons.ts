import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, pathOf, runAs } from './programs.ts';

/** A folder on a disk that the user of the programs may enter. */
export class Folder {
  readonly path: string;
  readonly user = runAs();

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<Folder> {
    const folder = new Folder(
      await mkdtemp(join(process.env.BATON_TEST_KEPT ?? tmpdir(), 'baton-failover-')),
    );
    await chmod(folder.path, 0o755);
    await folder.#give(folder.path);
    return folder;
  }

  async write(name: string, text: string): Promise<string> {
    const path = join(this.path, name);
    await writeFile(path, text, { mode: 0o600 });
    await this.#give(path);
    return path;
  }

  log(name: string): Promise<string> {
    return readFile(join(this.path, `${name}.log`), 'utf8').catch(() => '');
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true, maxRetries: 10 });
  }

  async #give(path: string): Promise<void> {
    const { uid, gid } = this.user;
    if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
  }
}

export interface Daemon {
  readonly pid: number;
  /** Resolves once it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a program with its output in a file of the folder. */
export function startDaemon(
  folder: Folder,
  program: Program,
  args: readonly string[],
  { name = program, env = {} }: { readonly name?: string; readonly env?: Record<string, string> } = {},
): Daemon {
  const child: ChildProcess = spawn(pathOf(program) ?? program, args, {
    ...folder.user,
    cwd: folder.path,
    env: { PATH: process.env.PATH ?? '', HOME: folder.path, LC_ALL: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(join(folder.path, `${name}.log`), { flags: 'a' });
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  const gone = once(child, 'exit').finally(() => log.end());
  return {
    pid: child.pid ?? 0,
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await gone;
    },
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
