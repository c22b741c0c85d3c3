import { runCli } from '../faces/cli/program.ts';
import { createHost } from './host.ts';
import { readSettings } from './settings.ts';

/** Runs one command line and answers its exit code. */
export function main(argv: readonly string[]): Promise<number> {
  return runCli(argv, createHost(readSettings(process.env)));
}
