import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProduct } from './product.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let binary: Promise<string> | undefined;

/** The command line as users run it. */
export function batonBinary(): Promise<string> {
  binary ??= builtProduct();
  return binary;
}

/** Whoever names no data folder gets one here, and not in the home of whoever runs the tests. */
function homeOfTests(): string {
  const home = join(tmpdir(), 'baton-test-home');
  mkdirSync(home, { recursive: true });
  return home;
}

export async function runBaton(
  args: readonly string[],
  options: {
    readonly env?: Record<string, string>;
    readonly input?: string;
    readonly cwd?: string;
    /** Reads one piece of the output and leaves, as `head` does. */
    readonly leaves?: boolean;
  } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [await batonBinary(), ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: homeOfTests(), NO_COLOR: '1', ...options.env },
    cwd: options.cwd,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (options.leaves) child.stdout.destroy();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.end(options.input ?? '');
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}
