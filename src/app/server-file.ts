import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
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

/**
 * Like `findServer`, for who wants to take its place. A process that was killed keeps its number until its parent has
 * looked, and another may have got the number since; neither accepts a connection at its address.
 */
export async function findListeningServer(dataDir: string): Promise<ServerFile | undefined> {
  const server = findServer(dataDir);
  return server && (await accepts(server.url)) ? server : undefined;
}

const CONNECT_MS = 2_000;

function accepts(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(CONNECT_MS, () => settle(true));
    socket.once('connect', () => settle(true));
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code !== 'ECONNREFUSED'));
  });
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
