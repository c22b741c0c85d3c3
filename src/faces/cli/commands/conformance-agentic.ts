import { type Command, Option } from 'commander';
import type { Level, ReportForm } from '../../../../packages/conformance/src/agentic/index.ts';
import { toHex } from '../../../kernel/hex.ts';
import { nodeRandom } from '../../../platform/index.ts';
import { EXIT, type Host } from '../host.ts';

interface Options {
  readonly url?: string;
  readonly token?: string;
  readonly level: Level;
  readonly report?: ReportForm;
  readonly actor?: string;
  readonly strict?: boolean;
}

export function addAgenticConformanceCommand(program: Command, host: Host): void {
  const parent =
    program.commands.find((command) => command.name() === 'conformance') ??
    program.command('conformance').description('Test any server against a protocol.');
  parent
    .command('agentic')
    .description('Test a server against the Agentic Protocol 0.1 and report the level it reaches.')
    .option('--url <url>', 'the server (default: the one running here)')
    .option('--token <token>', 'a credential for it')
    .addOption(
      new Option('--level <level>', 'the level to reach').choices(['L0', 'L1', 'L2', 'L3']).default('L3'),
    )
    .addOption(new Option('--report <form>', 'print the whole report').choices(['json', 'junit', 'md']))
    .option('--actor <type:id>', 'the actor of the credential, if the server cannot tell')
    .option('--strict', 'treat SHOULD as MUST')
    .action(async (options: Options) => {
      process.exitCode = await run(options, host);
    });
}

async function run(options: Options, host: Host): Promise<number> {
  const { httpTarget, renderReport, runSuite } = await import(
    '../../../../packages/conformance/src/agentic/index.ts'
  );
  const { progress } = await import('../progress.ts');
  const url = options.url ?? host.settings.url ?? `http://127.0.0.1:${host.settings.port}`;
  const bar = await progress('Testing');
  const [type, id] = options.actor?.split(':') ?? [];
  const report = await runSuite({
    target: httpTarget(url, options.token ?? host.settings.token),
    level: options.level,
    run: toHex(nodeRandom.bytes(6)),
    actor: type && id ? { type, id } : undefined,
    onResult: ({ check }, done, total) => bar.step(done, total, `${check.id} ${check.title}`),
  });
  bar.done();
  process.stdout.write(renderReport(report, options.report ?? 'text'));
  const strictly = !report.results.some(
    ({ outcome, check }) => outcome === 'warn' && check.weight === 'SHOULD',
  );
  return report.passed && (strictly || !options.strict) ? EXIT.ok : EXIT.integrity;
}
