import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { findServer } from '../../src/app/server-file.ts';
import { batonBinary } from './cli.ts';

export interface KillableServer {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
  readonly client: ReturnType<typeof createClient>;
  /** As the worst moment would end it; resolves once it is gone. */
  kill(): Promise<void>;
}

/** The real binary in a process of its own, over a data directory that outlives it. */
export async function startKillableServer(
  dataDir: string,
  given: { readonly env?: Record<string, string>; readonly port?: number } = {},
): Promise<KillableServer> {
  const child = spawn(process.execPath, [await batonBinary(), 'up', '--port', String(given.port ?? 0)], {
    env: { PATH: process.env.PATH ?? '', BATON_DATA: dataDir, BATON_LOG: 'fatal', ...given.env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  try {
    await expect.poll(() => findServer(dataDir)?.pid).toBe(child.pid);
  } catch (error) {
    await kill();
    throw error;
  }
  const url = findServer(dataDir)?.url ?? '';
  const token = (await readFile(join(dataDir, 'owner.key'), 'utf8')).trim();
  return { child, url, token, client: createClient({ url, token }), kill };
}
