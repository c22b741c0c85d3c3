import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { asRecord } from '../../../kernel/json/loose.ts';
import { deliveryErrors } from '../errors.ts';
import { tryParse } from '../parse.ts';
import { isAlive } from './processes.ts';

export interface LockOptions {
  /** How long to wait for the current holder. */
  readonly waitMs?: number | undefined;
  readonly staleMs?: number;
  readonly token: string;
}

const STALE_MS = 30_000;
const WAIT_MS = 10_000;
const RETRY_MS = 25;
let counter = 0;

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

/** The file appears with its content at once: a kill in between leaves no lock that nobody holds. */
async function create(file: string, claim: string): Promise<boolean> {
  counter += 1;
  const beside = `${file}.${process.pid}-${counter}.claim`;
  await writeFile(beside, claim);
  try {
    await link(beside, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(beside, { force: true });
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
  // A lock that names nobody was left by a kill between making and writing it.
  if (claim.trim() === '') return true;
  const holder = asRecord(tryParse(claim));
  if (holder.host === hostname() && typeof holder.pid === 'number' && !isAlive(holder.pid)) return true;
  const age = await stat(file).then(
    (info) => Date.now() - info.mtimeMs,
    () => 0,
  );
  return age > staleMs;
}

async function read(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
