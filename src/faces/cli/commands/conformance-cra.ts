import { type Command, Option } from 'commander';
import type { CraOptions } from '../../../../packages/conformance/src/suites.ts';
import { cliErrors } from '../errors.ts';
import { EXIT, type Host } from '../host.ts';
import { parentCommand } from './parent.ts';

interface Options extends CraOptions {
  readonly url?: string;
  readonly token?: string;
}

const TIMEOUT_MS = 10_000;

export function addCraConformanceCommand(program: Command, host: Host): void {
  parentCommand(program, 'conformance', 'Test any server against a protocol.')
    .command('cra')
    .description('Test a server against CRA 1.0 (CARP, TRACE, Atlas) and report the level it reaches.')
    .option('--url <url>', 'the server (default: the one running here)')
    .option('--token <token>', 'a credential for it')
    .option('--other-token <token>', 'a credential of another agent, for cases about ownership')
    .option('--executor <name>', 'an executor of the server that responds (default: echo)')
    .option('--only <prefix>', 'only cases whose id starts with this')
    .addOption(new Option('--report <form>', 'print the whole report').choices(['json', 'md']))
    .action(async (options: Options) => {
      process.exitCode = await run(options, host);
    });
}

async function run(options: Options, host: Host): Promise<number> {
  const url = options.url ?? host.settings.url ?? `http://127.0.0.1:${host.settings.port}`;
  await requireAnswer(url);
  const { judgeCra } = await import('../../../../packages/conformance/src/suites.ts');
  const { progress } = await import('../progress.ts');
  const bar = await progress('Testing');
  const server = { url, token: options.token ?? host.settings.token };
  const { passed, text } = await judgeCra(server, options, bar.step);
  bar.done();
  process.stdout.write(text);
  return passed ? EXIT.ok : EXIT.integrity;
}

/** One word about a server that is down, instead of a failure for every case. */
async function requireAnswer(url: string): Promise<void> {
  await fetch(new URL('/v1/health', url), { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause) => {
    throw cliErrors.server_unreachable({ message: `The server at ${url} does not answer.`, cause });
  });
}
