import { runCli } from '../faces/cli/program.ts';
import { BatonError } from '../kernel/error.ts';
import { createHost } from './host.ts';
import { readSettings } from './settings.ts';

/** Runs one command line and answers its exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    return await runCli(argv, createHost(readSettings(process.env)));
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    const { printError } = await import('../faces/cli/output.ts');
    return printError(error, argv.includes('--json'));
  }
}
