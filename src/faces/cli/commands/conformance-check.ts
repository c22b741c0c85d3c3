import { type Command, InvalidArgumentError, Option } from 'commander';
import { BatonError } from '../../../kernel/error.ts';
import type { Host } from '../host.ts';
import { printError } from '../output.ts';
import { parentCommand } from './parent.ts';

interface CheckFlags {
  readonly tier: number;
  readonly surface?: string;
  readonly target?: string;
  readonly fixtures?: string;
  readonly remote?: string;
  readonly token?: string;
  readonly timeout?: number;
  readonly format: 'text' | 'json';
  readonly strict?: boolean;
}

/** Exit codes of a verifier: passed, failed, could not be judged. */
const NOT_JUDGED = 2;

export function addConformanceCheckCommand(program: Command, host: Host): void {
  const conformance = parentCommand(program, 'conformance', 'Test any server against a protocol.');
  const verify = parentCommand(program, 'verify', 'Verify an implementation of a protocol.');
  for (const command of [conformance.command('check'), verify.command('protocol')]) {
    command
      .description('Run AgentXchain fixtures against an implementation: a directory, or a server.')
      .option('--tier <level>', '1, 2 or 3; includes all lower tiers', whole, 1)
      .option('--surface <name>', 'only this surface')
      .option('--target <dir>', 'a directory with .agentxchain-conformance/ (default: this one)')
      .option('--fixtures <dir>', 'the fixtures (default: the target’s own)')
      .option('--remote <url>', 'a server that answers /conform')
      .option('--token <token>', 'a credential for it')
      .option('--timeout <ms>', 'time limit for one fixture', whole)
      .addOption(new Option('--format <form>', 'output format').choices(['text', 'json']).default('text'))
      .option('--strict', 'a pass must include the actual result, and it must match the expected one')
      .action(async (flags: CheckFlags) => {
        process.exitCode = await check(flags, host);
      });
  }
}

async function check(flags: CheckFlags, host: Host): Promise<number> {
  const { judgeAgentXchain } = await import('../../../../packages/conformance/src/suites.ts');
  const { progress } = await import('../progress.ts');
  const { format, timeout, token: given, ...options } = flags;
  const token = given ?? (flags.remote === undefined ? undefined : host.settings.token);
  const bar = await progress('Checking');
  try {
    const { code, text } = await judgeAgentXchain(
      {
        ...options,
        json: format === 'json',
        ...(token !== undefined && { token }),
        ...(timeout !== undefined && { timeoutMs: timeout }),
      },
      bar.step,
    );
    bar.done();
    process.stdout.write(text);
    return code;
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    printError(error, format === 'json');
    return NOT_JUDGED;
  }
}

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value)) throw new InvalidArgumentError('Expected a whole number.');
  return value;
}
