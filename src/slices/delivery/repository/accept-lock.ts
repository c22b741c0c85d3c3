import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { asRecord } from '../../../kernel/json/loose.ts';
import { deliveryErrors } from '../errors.ts';
import { tryParse } from '../parse.ts';

export interface LockOptions {
  /** How long to wait for another holder. */
  readonly waitMs?: number;
  readonly staleMs?: number;
  readonly token: string;
}

const STALE_MS = 30_000;
const WAIT_MS = 10_000;
const RETRY_MS = 25;

/** Serialises whatever changes a run. Held by a file that names its holder; the answer releases it. */
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

/** Hooks may take longer than a lock lives: while it is held its age is kept young. */
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
  // Between looking and moving somebody else may have taken the lock: then it is theirs and goes back.
  if (moved !== seen && moved !== undefined) await create(file, moved);
  await rm(aside, { force: true });
}

/** Age is measured by the file system's own clock against this machine's: no injected time could tell it. */
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
