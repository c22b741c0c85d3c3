import type { Command } from 'commander';
import pc from 'picocolors';
import { inline } from '../../../kernel/quoted.ts';
import { requirePerson } from '../agent-session.ts';
import type { Check } from '../doctor/check.ts';
import { machineChecks } from '../doctor/machine.ts';
import { repositoryChecks } from '../doctor/repository.ts';
import { EXIT, type Host } from '../host.ts';
import { print } from '../output.ts';

interface DoctorOptions {
  readonly fix?: boolean;
  readonly json?: boolean;
}

export function addDoctorCommand(program: Command, host: Host): void {
  program
    .command('doctor')
    .description(
      'Check everything from the program to a real event of each client; exits with 1 if something is broken.',
    )
    .option('--fix', 'mend what can be mended')
    .option('--json', 'print JSON')
    .action(async (options: DoctorOptions) => {
      const by = options.fix ? await requirePerson(host) : host;
      let checks = await lookAtAll(by);
      const fixed: string[] = [];
      if (options.fix) {
        for (const { fix } of checks) if (fix) fixed.push(await fix());
        if (fixed.length > 0) checks = await lookAtAll(by);
      }
      const shown = checks.map(({ fix, ...rest }) => ({ ...rest, fixable: fix !== undefined }));
      print({ checks: shown, fixed }, options.json, doctorText);
      if (checks.some(({ state }) => state === 'fail')) process.exitCode = EXIT.error;
    });
}

async function lookAtAll(host: Host): Promise<Check[]> {
  const machine = await machineChecks(host);
  const broken = machine.some(({ name, state }) => name === 'store' && state === 'fail');
  return broken ? machine : [...machine, ...(await repositoryChecks(host))];
}

const MARKS = { ok: pc.green('✔'), warn: pc.yellow('!'), fail: pc.red('✖') } as const;

function doctorText({
  checks,
  fixed,
}: {
  readonly checks: readonly (Omit<Check, 'fix'> & { readonly fixable: boolean })[];
  readonly fixed: readonly string[];
}): string {
  const fixable = checks.some((check) => check.fixable);
  return [
    ...fixed.map((done) => `${pc.green('mended')}  ${inline(done)}`),
    ...checks.map(({ name, state, detail, next }) => {
      const line = `${MARKS[state]} ${name}  ${pc.dim(inline(detail))}`;
      return next === undefined || state === 'ok' ? line : `${line}\n    → ${inline(next)}`;
    }),
    ...(fixable ? [`\`baton doctor --fix\` mends what it can.`] : []),
  ].join('\n');
}
