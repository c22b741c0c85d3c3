/** Baton on a person's machine, as they use it: the built program, and what it answers as JSON. */
import { spawn } from 'node:child_process';
import { batonBinary } from '../setup/cli.ts';
import type { Machine } from './machine.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function putBatonOn(machine: Machine): Promise<void> {
  await machine.program('baton', process.execPath, [await batonBinary()]);
}

export async function runBatonIn(machine: Machine, folder: string, ...args: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, [await batonBinary(), ...args], { cwd: folder, env: machine.env });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.end();
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}

/** A command that must succeed, and answers JSON. */
export async function batonJson<T>(machine: Machine, folder: string, ...args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await runBatonIn(machine, folder, ...args, '--json');
  if (code !== 0) throw new Error(`baton ${args.join(' ')} ended with ${code}: ${stderr || stdout}`);
  return JSON.parse(stdout) as T;
}
