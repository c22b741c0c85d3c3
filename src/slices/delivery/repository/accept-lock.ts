import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { asRecord } from '../../../kernel/json/loose.ts';
import { deliveryErrors } from '../errors.ts';
import { tryParse } from '../parse.ts';

export interface LockOptions {
  /** How long to wait for the current holder. */
  readonly waitMs?: number | undefined;
  readonly staleMs?: number;
  readonly token: string;
}

const STALE_MS = 30_000;
const WAIT_MS = 10_000;
const RETRY_MS = 25;

/** Serialises changes to a run, with a file that names the holder. Returns a function that releases the lock. */
export async function takeLock(file: string, options: LockOptions): Promise<() => Promise<void>> {
  const staleMs = options.staleMs ?? STALE_MS;
  const claim = JSON.stringify({ pid: process.pid, host: hostname(), token: options.token });
  const attempts = Math.max(1, Math.ceil((options.waitMs ?? WAIT_MS) / RETRY_MS));
  await mkdir(dirname(file), { recursive: true });
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await create(file, claim)) return hold(file, claim, staleMs);
    await clearIfStale(file, staleMs, options.token);
    if (await create(file, claim)) return hold(file, claim, staleMs);
    await pause(RETRY_MS);
  }
  throw deliveryErrors.lock_timeout({ details: { holder: await read(file) } });
}

export async function underLock<T>(file: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const release = await takeLock(file, options);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function create(file: string, claim: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    await handle.writeFile(claim);
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Hooks may take longer than a lock lives, so its timestamp is refreshed while it is held. */
function hold(file: string, claim: string, staleMs: number): () => Promise<void> {
  const beat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => {});
  }, staleMs / 3);
  beat.unref();
  return async () => {
    clearInterval(beat);
    if ((await read(file)) === claim) await rm(file, { force: true });
  };
}

async function clearIfStale(file: string, staleMs: number, token: string): Promise<void> {
  const seen = await read(file);
  if (seen === undefined || !(await isStale(file, seen, staleMs))) return;
  const aside = `${file}.${token}.stale`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  const moved = await read(aside);
  // Somebody else may have taken the lock between the check and the move: then put it back.
  if (moved !== seen && moved !== undefined) await create(file, moved);
  await rm(aside, { force: true });
}

/** Compares the file system's clock with this machine's, so an injected clock would not do. */
async function isStale(file: string, claim: string, staleMs: number): Promise<boolean> {
  const holder = asRecord(tryParse(claim));
  if (holder.host === hostname() && typeof holder.pid === 'number' && !isAlive(holder.pid)) return true;
  const age = await stat(file).then(
    (info) => Date.now() - info.mtimeMs,
    () => 0,
  );
  return age > staleMs;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function read(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
