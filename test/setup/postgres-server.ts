import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./postgres-child.mjs', import.meta.url));
const START_MS = 120_000;

export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Whether it waits for the disk, as a server of a user does; the tests' own server does not. */
  readonly fsync?: boolean;
  /** Where `postgres-child.mjs` is, for a bundle that this file has become part of. */
  readonly script?: string;
}

/** A real server, gone when this process is, however it ends. */
export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  // Detached, so that an interrupt at the terminal reaches it only by its standard input.
  const child = spawn(process.execPath, [options.script ?? CHILD, ...(options.fsync ? ['--fsync'] : [])], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let complaint = '';
  child.stderr.on('data', (text: Buffer) => {
    complaint += text;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('PostgreSQL did not answer in time.')), START_MS);
    timer.unref();
    createInterface({ input: child.stdout }).once('line', resolve);
    void ended.then(() => reject(new Error(`PostgreSQL did not start: ${complaint}`)));
  }).catch(async (error) => {
    await stop();
    throw error;
  });
  return { url, stop };
}
