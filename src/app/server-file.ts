import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the running server of a data directory is found; the command line reads it. */
export interface ServerFile {
  readonly url: string;
  readonly pid: number;
}

const NAME = 'server.json';

export function writeServerFile(dataDir: string, server: ServerFile): void {
  const path = join(dataDir, NAME);
  writeFileSync(`${path}.${server.pid}`, `${JSON.stringify(server)}\n`, { mode: 0o600 });
  renameSync(`${path}.${server.pid}`, path);
}

/** A file left behind by a dead process is ignored. */
export function findServer(dataDir: string): ServerFile | undefined {
  try {
    const server = JSON.parse(readFileSync(join(dataDir, NAME), 'utf8')) as ServerFile;
    return isRunning(server.pid) ? server : undefined;
  } catch {
    return undefined;
  }
}

export function removeServerFile(dataDir: string, pid: number): void {
  if (findServer(dataDir)?.pid === pid) rmSync(join(dataDir, NAME), { force: true });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
