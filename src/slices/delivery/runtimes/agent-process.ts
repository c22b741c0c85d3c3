import { spawn } from 'node:child_process';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as pause } from 'node:timers/promises';
import { readFrom, sizeOf } from '../repository/files.ts';
import { isRunning, type ProcessId, processesWith, processId } from '../repository/processes.ts';
import type { ProcessOutcome, ProcessRun } from '../run-process.ts';
import { isOnPath } from './on-path.ts';

/** How the agent of a turn is started once, and found again by whoever waits for it after a crash. */
export interface AgentSlot {
  /** Where what goes in and comes out is kept. */
  readonly folder: string;
  /** Made by the program before it begins; if somebody else has made it, the program does not begin. */
  readonly claim: string;
  /** One that is still at work. */
  readonly running: ProcessId | null;
  started(agent: ProcessId): Promise<void>;
}

type AgentRun = Omit<ProcessRun, 'env'> & {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly slot: AgentSlot;
  /** Bytes that it may print; what it prints is on the disk until its turn is over. */
  readonly mostPrinted?: number;
};

const LOOK_MS = 50;
const CHUNK = 1024 * 1024;
const MOST_PRINTED = 1024 * CHUNK;
/** Writes its own number, unless the file is there, and becomes the program. */
const CLAIM = 'set -C; echo $$ > "$0" || exit 126; exec "$@"';

interface Watched {
  readonly agent: ProcessId;
  /** The exit code once it has ended; null where nobody can know it. */
  ended(): Promise<{ readonly code: number | null } | undefined>;
}

/**
 * Runs a program whose input and output are files, so that it outlives us if it must: whoever takes over follows the same
 * files. The program has a process group of its own, of which nothing is left afterwards.
 */
export async function runAgent(run: AgentRun): Promise<ProcessOutcome> {
  const { slot } = run;
  const nothing = { exitCode: null, timedOut: false, stalled: false, stdout: '', stderr: '' };
  let watched: Watched;
  if (slot.running === null) {
    const [program = ''] = run.argv;
    if (!(await isOnPath(program, run.env.PATH ?? '', run.cwd)))
      return { ...nothing, spawnError: `spawn ${program} ENOENT` };
    const started = await start(run);
    if (typeof started === 'string') return { ...nothing, spawnError: started };
    watched = started;
    await slot.started(started.agent);
  } else watched = found(slot.running);
  return follow(run, watched);
}

async function start(run: AgentRun): Promise<Watched | string> {
  const { slot } = run;
  await mkdir(slot.folder, { recursive: true });
  await mkdir(dirname(slot.claim), { recursive: true });
  await writeFile(join(slot.folder, 'stdin'), run.input ?? '');
  const files = await Promise.all([
    open(join(slot.folder, 'stdin'), 'r'),
    open(join(slot.folder, 'stdout'), 'w'),
    open(join(slot.folder, 'stderr'), 'w'),
  ]);
  const windows = process.platform === 'win32';
  const [program = '', ...args] = windows ? run.argv : ['sh', '-c', CLAIM, slot.claim, ...run.argv];
  try {
    const child = spawn(program, args, {
      cwd: run.cwd,
      env: run.env,
      stdio: files.map(({ fd }) => fd),
      detached: !windows,
    });
    let exit: { code: number | null } | undefined;
    child.on('exit', (code) => {
      exit = { code };
    });
    const failure = await new Promise<string | undefined>((resolve) => {
      child.on('spawn', () => resolve(undefined));
      child.on('error', (error) => resolve(error.message));
    });
    if (failure !== undefined || child.pid === undefined) return failure ?? 'The program did not start.';
    return { agent: await processId(child.pid), ended: async () => exit };
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
}

function found(agent: ProcessId): Watched {
  return { agent, ended: async () => ((await isRunning(agent)) ? undefined : { code: null }) };
}

async function follow(run: AgentRun, { agent, ended }: Watched): Promise<ProcessOutcome> {
  const limit = run.maxOutput ?? CHUNK;
  const out = tail(join(run.slot.folder, 'stdout'), limit, run.onOutput);
  const err = tail(join(run.slot.folder, 'stderr'), limit, run.onErrors);
  const begun = performance.now();
  let heard = begun;
  let stopping: 'time' | 'silence' | 'flood' | 'caller' | undefined;
  let asked = 0;
  for (;;) {
    const exit = await ended();
    const news = (await out.read()) || (await err.read());
    const now = performance.now();
    if (news) heard = now;
    if (exit !== undefined && !news) {
      signal(agent.pid, 'SIGKILL');
      const { AGENTXCHAIN_STAGING_PATH: staging } = run.env;
      if (staging) await endLeftovers(staging);
      return {
        exitCode: exit.code,
        timedOut: stopping === 'time',
        stalled: stopping === 'silence',
        flooded: stopping === 'flood',
        stdout: out.text(),
        stderr: err.text(),
      };
    }
    if (stopping === undefined) {
      if (run.signal?.aborted === true) stopping = 'caller';
      else if (now - begun > run.timeoutMs) stopping = 'time';
      else if (run.idleMs !== undefined && now - heard > run.idleMs) stopping = 'silence';
      else if (out.offset() + err.offset() > (run.mostPrinted ?? MOST_PRINTED)) stopping = 'flood';
      if (stopping !== undefined) {
        asked = now;
        signal(agent.pid, (run.graceMs ?? 0) === 0 ? 'SIGKILL' : 'SIGTERM');
      }
    } else if (now - asked > (run.graceMs ?? 0)) signal(agent.pid, 'SIGKILL');
    if (!news) await pause(LOOK_MS);
  }
}

/**
 * What left the group of its agent, as a server that was started in the background does, ends with its turn as well. It is
 * known by where its turn's answer belongs, which no other turn of this machine shares.
 */
export async function endLeftovers(stagingFile: string): Promise<void> {
  for (const pid of await processesWith(`AGENTXCHAIN_STAGING_PATH=${stagingFile}`)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
}

/** To the whole group: what a program started ends with it. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32') process.kill(pid, name);
    else process.kill(-pid, name);
  } catch {
    // It has already ended.
  }
}

/** Follows a file as it grows; all of it is read, the first `limit` characters are kept. */
function tail(file: string, limit: number, heard: ((chunk: string) => void) | undefined) {
  const decoder = new StringDecoder('utf8');
  let offset = 0;
  let kept = '';
  return {
    text: () => kept,
    offset: () => offset,
    async read(): Promise<boolean> {
      const size = await sizeOf(file);
      if (size <= offset) return false;
      const bytes = await readFrom(file, offset, Math.min(CHUNK, size - offset));
      offset += bytes.length;
      const chunk = decoder.write(bytes);
      if (kept.length < limit) kept += chunk.slice(0, limit - kept.length);
      heard?.(chunk);
      return bytes.length > 0;
    },
  };
}
