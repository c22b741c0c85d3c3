import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * A folder in memory, where there is one with enough room: the suite commits tens of thousands of times, and a busy
 * disk makes it wait for each. The tests kill processes, never the machine, so nothing depends on the disk.
 */
export async function memoryFolder(): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  if (bavail * bsize < ROOM_BYTES) return undefined;
  await removeAbandoned();
  const folder = await mkdtemp(join(MEMORY, `baton-test-${process.pid}-`));
  try {
    // PostgreSQL runs as another user.
    await chmod(folder, 0o755);
    // Containers often mount it so that nothing in it can be executed; some tests write scripts and run them.
    const script = join(folder, 'runs');
    await writeFile(script, '#!/bin/sh\n', { mode: 0o755 });
    await promisify(execFile)(script);
    return folder;
  } catch {
    await rm(folder, { recursive: true, force: true });
    return undefined;
  }
}

/** What a run left that was killed: memory is not freed by itself. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    const [, pid] = /^baton-test-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid)))
      await rm(join(MEMORY, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
