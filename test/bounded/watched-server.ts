import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { findServer } from '../../src/app/server-file.ts';
import { builtProduct } from '../setup/product.ts';

export interface Measured {
  /** Milliseconds of CPU that the main thread was busy without a pause, at most. */
  readonly longest: number;
  /** Bytes: what its heap and what hangs on it hold, right after a collection where it was asked to measure. */
  readonly live: number;
  /** Bytes: all that the process has, and the most that it had. */
  readonly rss: number;
  readonly peak: number;
}

export interface WatchedServer {
  readonly url: string;
  readonly token: string;
  /** Lines of standard error, which are JSON. */
  readonly log: readonly string[];
  measure(): Promise<Measured>;
  /** Begins anew; answers where it stands now. */
  reset(): Promise<Measured>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

const NEVER_ENDS_MS = 60_000;
const WATCH = fileURLToPath(new URL('./loop-watch.mjs', import.meta.url));

/** The built product in a process of its own, whose main thread is watched. */
export async function startWatchedServer(env: Record<string, string> = {}): Promise<WatchedServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'baton-test-'));
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--import', WATCH, await builtProduct(), 'up', '--port', '0'],
    {
      env: {
        PATH: process.env.PATH ?? '',
        TMPDIR: tmpdir(),
        BATON_DATA: dataDir,
        BATON_LOG: 'error',
        ...env,
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  );
  const log: string[] = [];
  let rest = '';
  child.stderr?.on('data', (piece) => {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    log.push(...lines);
  });
  const asked = async (what: string) => {
    const answer = once(child, 'message');
    child.send(what);
    return (await answer)[0] as Measured;
  };
  const close = async () => {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), NEVER_ENDS_MS);
    await ended;
    clearTimeout(force);
    await rm(dataDir, { recursive: true, force: true });
    // Whatever a run has left open must not keep the server from ending.
    if (child.signalCode === 'SIGKILL') throw new Error('The server did not end when it was told to.');
  };
  try {
    await vi.waitUntil(() => findServer(dataDir)?.pid === child.pid, { timeout: 120_000 });
  } catch (error) {
    await close();
    throw error;
  }
  const url = findServer(dataDir)?.url ?? '';
  const token = (await readFile(join(dataDir, 'owner.key'), 'utf8')).trim();
  return {
    url,
    token,
    log,
    measure: () => asked('measure'),
    reset: () => asked('reset'),
    fetch: (path, init = {}) =>
      fetch(`${url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
      }),
    close,
  };
}
