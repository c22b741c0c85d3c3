import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makePrivateFolder, writePrivateFile } from '../../../platform/private-files.ts';
import { connectErrors } from './errors.ts';

const STEP_MS = 50;
const PATIENCE_MS = 60_000;

/** Runs one piece of work at a time on the connections of a data directory, across processes. */
export async function withConnectionsLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  makePrivateFolder(dataDir);
  const path = join(dataDir, 'connections.lock');
  const end = Date.now() + PATIENCE_MS;
  while (!(await take(path))) {
    if (!(await isHeld(path))) await rm(path, { force: true });
    else if (Date.now() > end)
      throw connectErrors.connections_busy({ message: `${path} is held by another command.` });
    else await pause(STEP_MS);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await writePrivateFile(path, String(process.pid), 'wx');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A lock whose process is gone is left over. One without a number is just being made. */
async function isHeld(path: string): Promise<boolean> {
  const pid = Number(await readFile(path, 'utf8').catch(() => '0'));
  if (!(pid > 0)) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
