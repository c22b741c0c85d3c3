import { type Command, Option } from 'commander';
import type { AgenticOptions } from '../../../../packages/conformance/src/suites.ts';
import { EXIT, type Host } from '../host.ts';
import { parentCommand } from './parent.ts';

interface Options extends AgenticOptions {
  readonly url?: string;
  readonly token?: string;
}

export function addAgenticConformanceCommand(program: Command, host: Host): void {
  parentCommand(program, 'conformance', 'Test any server against a protocol.')
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
  const { judgeAgentic } = await import('../../../../packages/conformance/src/suites.ts');
  const { progress } = await import('../progress.ts');
  const url = options.url ?? host.settings.url ?? `http://127.0.0.1:${host.settings.port}`;
  const bar = await progress('Testing');
  const server = { url, token: options.token ?? host.settings.token };
  const { passed, text } = await judgeAgentic(server, options, bar.step);
  bar.done();
  process.stdout.write(text);
  return passed ? EXIT.ok : EXIT.integrity;
}
