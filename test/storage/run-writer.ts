import { spawn } from 'node:child_process';

export interface WriterRun {
  readonly acknowledged: readonly string[];
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly errors: string;
}

/** Runs the child to its end, or kills it once so many writes are acknowledged. */
export function runWriter(
  script: string,
  args: readonly string[],
  killAfter = Number.POSITIVE_INFINITY,
): Promise<WriterRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let lines = 0;
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      lines += text.split('\n').length - 1;
      if (lines >= killAfter) child.kill('SIGKILL');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      // What stands after the last line break was cut off by the kill.
      resolve({ acknowledged: output.split('\n').slice(0, -1), code, signal, errors });
    });
  });
}
