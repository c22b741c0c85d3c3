import { spawn } from 'node:child_process';

export interface ProcessRun {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string | undefined;
  readonly timeoutMs: number;
  /** How long to wait after asking the process to end before killing it; 0 kills it at once. */
  readonly graceMs?: number;
  readonly maxOutput?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onOutput?: ((chunk: string) => void) | undefined;
  readonly onErrors?: ((chunk: string) => void) | undefined;
  /** Ends the program once it has printed nothing for this long. */
  readonly idleMs?: number | undefined;
}

export interface ProcessOutcome {
  /** Null if a signal ended it or it never started. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** It was ended because it printed nothing for too long. */
  readonly stalled: boolean;
  /** It was ended because it printed too much. */
  readonly flooded?: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it could not start. */
  readonly spawnError?: string;
}

const DEFAULT_MAX_OUTPUT = 1024 * 1024;

/** Runs a program in its own process group, so that killing it kills its children too. */
export function runProcess(run: ProcessRun): Promise<ProcessOutcome> {
  const [program = '', ...args] = run.argv;
  const limit = run.maxOutput ?? DEFAULT_MAX_OUTPUT;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: run.cwd,
      env: run.env ?? process.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    let stdout = '';
    let stderr = '';
    let timedOut = false;
    let stalled = false;
    const timers: NodeJS.Timeout[] = [];

    const end = (signal: NodeJS.Signals) => {
      try {
        if (child.pid === undefined) return;
        if (process.platform === 'win32') child.kill(signal);
        else process.kill(-child.pid, signal);
      } catch {
        // It has already ended.
      }
    };
    const stop = () => {
      const grace = run.graceMs ?? 0;
      if (grace === 0) return end('SIGKILL');
      end('SIGTERM');
      timers.push(setTimeout(() => end('SIGKILL'), grace));
    };
    timers.push(
      setTimeout(() => {
        timedOut = true;
        stop();
      }, run.timeoutMs),
    );
    run.signal?.addEventListener('abort', stop, { once: true });
    if (run.signal?.aborted === true) stop();
    const idle =
      run.idleMs === undefined
        ? undefined
        : setTimeout(() => {
            stalled = true;
            stop();
          }, run.idleMs);
    if (idle !== undefined) timers.push(idle);

    const settle = (outcome: Pick<ProcessOutcome, 'exitCode' | 'spawnError'>) => {
      for (const timer of timers) clearTimeout(timer);
      run.signal?.removeEventListener('abort', stop);
      resolve({ timedOut, stalled, stdout, stderr, ...outcome });
    };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (stdout.length < limit) stdout += chunk.slice(0, limit - stdout.length);
      idle?.refresh();
      run.onOutput?.(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      if (stderr.length < limit) stderr += chunk.slice(0, limit - stderr.length);
      idle?.refresh();
      run.onErrors?.(chunk);
    });
    child.on('error', (error) => settle({ exitCode: null, spawnError: error.message }));
    child.on('close', (code) => settle({ exitCode: code }));
    // A program need not read its input.
    child.stdin.on('error', () => {});
    child.stdin.end(run.input ?? '');
  });
}
