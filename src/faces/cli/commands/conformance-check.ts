import { type Command, InvalidArgumentError, Option } from 'commander';
import { BatonError } from '../../../kernel/error.ts';
import { systemClock } from '../../../platform/index.ts';
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
  const { checkConformance, EXIT_CODES, reportText } = await import(
    '../../../../packages/conformance/src/agentxchain/index.ts'
  );
  const { progress } = await import('../progress.ts');
  const { surface, target, fixtures, remote, timeout } = flags;
  const token = flags.token ?? (remote === undefined ? undefined : host.settings.token);
  const bar = await progress('Checking');
  try {
    const report = await checkConformance({
      clock: systemClock,
      tier: flags.tier,
      ...(surface !== undefined && { surface }),
      ...(target !== undefined && { target }),
      ...(fixtures !== undefined && { fixtures }),
      ...(remote !== undefined && { remote }),
      ...(token !== undefined && { token }),
      ...(timeout !== undefined && { timeoutMs: timeout }),
      ...(flags.strict && { strict: true }),
      onFixture: (fixtureId, _status, done, total) => bar.step(done, total, fixtureId),
    });
    bar.done();
    process.stdout.write(
      flags.format === 'json' ? `${JSON.stringify(report, null, 2)}\n` : reportText(report),
    );
    return EXIT_CODES[report.overall];
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    printError(error, flags.format === 'json');
    return NOT_JUDGED;
  }
}

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value)) throw new InvalidArgumentError('Expected a whole number.');
  return value;
}
