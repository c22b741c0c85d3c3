import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

/** A process of this machine, told from a later one with the same number by when it started. */
export interface ProcessId {
  readonly pid: number;
  /** As the system says it; null where it does not. */
  readonly started: string | null;
  readonly host: string;
}

const START_FIELD = 22;
const run = promisify(execFile);

export async function processId(pid: number): Promise<ProcessId> {
  return { pid, started: await startOf(pid), host: hostname() };
}

export async function isRunning({ pid, started, host }: ProcessId): Promise<boolean> {
  if (host !== hostname()) return true;
  if (!isAlive(pid)) return false;
  const now = await startOf(pid);
  return now !== 'ended' && (started === null || now === null || now === started);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process may have this in its environment: false only where the system shows that it has not. */
export async function mayHave(pid: number, setting: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const settings = await settingsOf(pid);
  // While a program becomes another one, it shows none at all.
  return settings?.length === 0 || settings?.includes(setting) === true;
}

/** Processes of this user that have a setting in their environment. None where the system does not show that. */
export async function processesWith(setting: string): Promise<readonly number[]> {
  if (process.platform !== 'linux') return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const others = pids.filter((pid) => pid !== process.pid);
  const having = await Promise.all(others.map((pid) => hasSetting(pid, setting)));
  return others.filter((_pid, index) => having[index]);
}

async function hasSetting(pid: number, setting: string): Promise<boolean> {
  return (await settingsOf(pid))?.includes(setting) === true;
}

async function settingsOf(pid: number): Promise<readonly string[] | undefined> {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => undefined);
  return text?.split('\0').filter((each) => each !== '');
}

/** `ended` for one that has ended and waits for its parent to notice. */
async function startOf(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The second field is the name, in brackets, and may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
    return fields[START_FIELD - 3] ?? null;
  }
  if (process.platform === 'win32') return null;
  const listed = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return listed.stdout.trim() || null;
}
