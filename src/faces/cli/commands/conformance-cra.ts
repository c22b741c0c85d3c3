import { type Command, Option } from 'commander';
import pc from 'picocolors';
import type { CraReport } from '../../../../packages/conformance/src/cra/index.ts';
import { nodeHasher, nodeRandom, systemClock } from '../../../platform/index.ts';
import { cliErrors } from '../errors.ts';
import { EXIT, type Host } from '../host.ts';
import { forPeople } from '../output.ts';

interface Options {
  readonly url?: string;
  readonly token?: string;
  readonly otherToken?: string;
  readonly executor?: string;
  readonly only?: string;
  readonly report?: 'json' | 'md';
}

const TIMEOUT_MS = 10_000;

export function addCraConformanceCommand(program: Command, host: Host): void {
  const parent =
    program.commands.find((command) => command.name() === 'conformance') ??
    program.command('conformance').description('Test any server against a protocol.');
  parent
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
  const token = options.token ?? host.settings.token;
  await requireAnswer(url);
  const { runCraConformance } = await import('../../../../packages/conformance/src/cra/index.ts');
  const { craCases } = await import('../../../../packages/conformance/src/cra/cases/index.ts');
  const { jsonSchemas } = await import('../../../slices/governance/json-schemas/index.ts');
  const { progress } = await import('../progress.ts');
  const bar = await progress('Testing');
  let done = 0;
  const report = await runCraConformance({
    baseUrl: url,
    ...(token !== undefined && { token }),
    ...(options.otherToken !== undefined && { otherToken: options.otherToken }),
    ...(options.executor !== undefined && { executor: options.executor }),
    ...(options.only !== undefined && { only: options.only }),
    schemas: jsonSchemas,
    clock: systemClock,
    random: nodeRandom,
    hasher: nodeHasher,
    timeoutMs: TIMEOUT_MS,
    openSocket: firstMessages,
    onResult: ({ test_id: id }) => {
      done += 1;
      bar.step(done, craCases.length, id);
    },
  });
  bar.done();
  process.stdout.write(`${rendered(report, options.report)}\n`);
  return report.test_run.failed === 0 && report.test_run.total > 0 ? EXIT.ok : EXIT.integrity;
}

/** One word about a server that is down, instead of a failure for every case. */
async function requireAnswer(url: string): Promise<void> {
  await fetch(new URL('/v1/health', url), { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause) => {
    throw cliErrors.server_unreachable({ message: `The server at ${url} does not answer.`, cause });
  });
}

async function firstMessages(url: string, token: string | undefined, count: number): Promise<string[]> {
  const { WebSocket } = await import('ws');
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const socket = new WebSocket(url, { headers, handshakeTimeout: TIMEOUT_MS });
  const messages: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`${messages.length} of ${count} messages came over the WebSocket in time`)),
        TIMEOUT_MS,
      );
      socket.on('message', (data) => {
        messages.push(String(data));
        if (messages.length >= count) resolve();
      });
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the WebSocket was closed before the messages came')));
    });
    return messages;
  } finally {
    clearTimeout(timer);
    socket.terminate();
  }
}

function rendered(report: CraReport, form: Options['report']): string {
  if (form === 'json') return JSON.stringify(report, null, 2);
  return form === 'md' ? asMarkdown(report) : asText(report);
}

function asText({ implementation, version, conformance_level: level, test_run, results }: CraReport): string {
  const { total, passed, failed, skipped, duration_ms } = test_run;
  const lines = results
    .filter(({ status }) => status !== 'passed')
    .map(({ test_id: id, status, error = '' }) => {
      const colour = status === 'failed' ? pc.red : pc.yellow;
      return `  ${colour(status.padEnd(7))}  ${id}  ${pc.dim(forPeople(error))}`;
    });
  return [
    `${pc.bold(implementation)} ${version}: ${failed === 0 ? pc.green(level) : pc.red(level)}`,
    `  ${total} cases in ${(duration_ms / 1000).toFixed(1)} s: ${passed} passed, ${failed} failed, ${skipped} skipped`,
    ...lines,
  ].join('\n');
}

function asMarkdown({ implementation, version, conformance_level, test_run, results }: CraReport): string {
  const cell = (text: string) => forPeople(text).replaceAll('|', '\\|');
  return [
    '# CRA conformance',
    '',
    `- Implementation: ${implementation} ${version}`,
    `- Level: **${conformance_level}**`,
    `- Run: ${test_run.timestamp}, ${test_run.duration_ms} ms`,
    `- Cases: ${test_run.total}; ${test_run.passed} passed, ${test_run.failed} failed, ${test_run.skipped} skipped`,
    '',
    '| Case | Result | Why |',
    '| --- | --- | --- |',
    ...results.map(({ test_id: id, status, error = '' }) => `| ${id} | ${status} | ${cell(error)} |`),
  ].join('\n');
}
