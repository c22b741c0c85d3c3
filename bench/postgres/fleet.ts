/** Servers, each in a process of its own, on one store, and the clients that deposit with them. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OwnProcess, ownProcess } from '../own-process.ts';
import type { ServerStart } from './server.ts';

const BUNDLES = new URL('../.bundle/', import.meta.url);
const SERVER = new URL('../postgres/server.ts', import.meta.url);

export interface Fleet {
  readonly urls: readonly string[];
  readonly token: string;
  readonly pids: readonly number[];
  /** Seconds of processor time of all its processes so far. */
  cpu(): Promise<number>;
  close(): Promise<void>;
}

/** Without an address of a database, one server on SQLite. */
export async function startFleet(processes: number, databaseUrl?: string): Promise<Fleet> {
  const dataDir = await mkdtemp(join(tmpdir(), 'baton-bench-'));
  const env = {
    BATON_DATA: dataDir,
    BATON_PORT: '0',
    BATON_LOG: 'silent',
    ...(databaseUrl === undefined ? {} : { BATON_DATABASE_URL: databaseUrl }),
  };
  const servers: OwnProcess[] = [];
  const starts: ServerStart[] = [];
  // One after another: the first makes the store and its keys.
  for (let nth = 0; nth < processes; nth += 1) {
    const server = await ownProcess(SERVER, BUNDLES, { env });
    servers.push(server);
    starts.push(await server.call<ServerStart>('start'));
  }
  return {
    urls: starts.map(({ url }) => url),
    token: starts[0]?.token ?? '',
    pids: starts.map(({ pid }) => pid),
    async cpu() {
      let sum = 0;
      for (const server of servers) sum += await server.call<number>('cpu');
      return sum;
    },
    async close() {
      for (const server of servers) {
        await server.call('stop');
        server.close();
      }
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface Deposits {
  readonly count: number;
  readonly clients?: number;
  readonly projects?: readonly string[];
  readonly urls?: readonly string[];
}

export class Clients {
  readonly #child: ChildProcess;

  constructor() {
    // The bundle of a case lies as deep in the checkout as its source.
    const script = join(dirname(fileURLToPath(import.meta.url)), '..', 'context', 'clients.mjs');
    this.#child = fork(script);
  }

  async deposit(fleet: Fleet, deposits: Deposits): Promise<{ readonly slowestMs: number }> {
    const { urls, token } = fleet;
    const ended = new AbortController();
    const failed = once(this.#child, 'exit', { signal: ended.signal }).then(([code]) => {
      throw new Error(`the clients ended with ${code}`);
    });
    this.#child.send({ urls, token, clients: 64, ...deposits });
    try {
      const [answer] = await Promise.race([once(this.#child, 'message', { signal: ended.signal }), failed]);
      return answer;
    } finally {
      failed.catch(() => undefined);
      ended.abort();
    }
  }

  close(): void {
    this.#child.kill();
  }
}
