/** The verbs that compare, replay and translate traces on file. */
import { type Command, Option } from 'commander';
import pc from 'picocolors';
import { writePrivateFile } from '../../../platform/private-files.ts';
import type { ExportFormat } from '../../../slices/governance/traces/export.ts';
import type { TraceDiff } from '../../../slices/governance/traces/rules/diff.ts';
import type { Replay } from '../../../slices/governance/traces/rules/replay.ts';
import { type JsonOption, printFound } from '../file-verb.ts';
import { EXIT, type Host } from '../host.ts';
import { forPeople } from '../output.ts';
import { addImpactCommand } from './trace-impact.ts';

const FILE = 'a .trace.jsonl file';
const compare = () => import('../../../slices/governance/traces/files.ts');

export function addTraceFileCommands(trace: Command, host: Host): void {
  trace
    .command('show')
    .description('Reconstruct the state of a session from its trace file.')
    .argument('<file>', FILE)
    .option('--json', 'print JSON')
    .action(async (file: string, options: JsonOption) => {
      await printFound((await compare()).showTraceFile(file), options, forPeople);
    });
  trace
    .command('diff')
    .description('Compare two traces, ignoring what differs in every run: ids, timestamps and hashes.')
    .argument('<a>', FILE)
    .argument('<b>', FILE)
    .option('--json', 'print JSON')
    .action(async (a: string, b: string, options: JsonOption) => {
      const { compatibility } = await printFound((await compare()).diffTraceFiles(a, b), options, diffText);
      if (compatibility === 'different') process.exitCode = EXIT.error;
    });
  addReplay(trace);
  addImpactCommand(trace, host);
  trace
    .command('export')
    .description('Convert a trace to a format that other tools read.')
    .argument('<file>', FILE)
    .addOption(
      new Option('--format <format>', 'JSON lines, Common Event Format, or OTLP in JSON')
        .choices(['jsonl', 'cef', 'otel'])
        .default('jsonl'),
    )
    .option('--out <file>', 'output file (default: standard output)')
    .action(async (file: string, options: { format: ExportFormat; out?: string }) => {
      const { exportTraceFile } = await import('../../../slices/governance/traces/export.ts');
      const text = exportTraceFile(file, options.format);
      if (options.out === undefined) await printFound(text, {}, (found) => found.trimEnd());
      else {
        const { out } = options;
        await printFound(
          text.then((found) => writePrivateFile(out, found)),
          {},
          () => out,
        );
      }
    });
}

function addReplay(trace: Command): void {
  trace
    .command('replay')
    .description('Decide every request of a trace again, and report whether each result is the same.')
    .argument('<file>', FILE)
    .requiredOption('--atlas <paths...>', 'the Atlases that were loaded at the time')
    .option('--inputs <file>', 'the recorded inputs, one JSON object per line')
    .option('--json', 'print JSON')
    .action(async (file: string, options: JsonOption & { inputs?: string; atlas: string[] }) => {
      const { replayTraceFile } = await compare();
      const replayed = replayTraceFile(file, options.inputs, options.atlas);
      const { deterministic } = await printFound(replayed, options, replayText);
      if (!deterministic) process.exitCode = EXIT.integrity;
    });
}

function diffText({ compatibility, differences }: TraceDiff): string {
  const colour = compatibility === 'different' ? pc.red : pc.green;
  const value = (given: unknown) =>
    given === undefined ? pc.dim('nothing') : forPeople(JSON.stringify(given));
  return [
    colour(compatibility.replace('_', ' ')),
    ...differences.map(({ path, type, before, after }) =>
      type.startsWith('event_')
        ? `  ${forPeople(path)}  ${type.replace('_', ' ')}`
        : `  ${forPeople(path)}  ${value(before)} → ${value(after)}`,
    ),
  ].join('\n');
}

function replayText({ deterministic, requests }: Replay): string {
  const same = requests.filter(({ status }) => status === 'identical').length;
  return [
    `${deterministic ? pc.green('deterministic') : pc.red('not deterministic')}: ${same} of ${requests.length} requests came out the same`,
    ...requests
      .filter(({ status }) => status !== 'identical')
      .flatMap(({ request_id, status, missing = [], changed = [] }) => [
        `  ${forPeople(request_id)}  ${pc.red(status.replace('_', ' '))} ${forPeople(missing.join(', '))}`.trimEnd(),
        ...changed.map(
          (each) =>
            `    ${forPeople(each.action_id)}: ${forPeople(each.recorded)} → ${forPeople(each.replayed)}`,
        ),
      ]),
  ].join('\n');
}
