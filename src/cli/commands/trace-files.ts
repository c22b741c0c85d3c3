/** The verbs that compare, replay and translate traces on file. */
import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import pc from 'picocolors';
import type { ExportFormat } from '../../governance/commands/trace-export.ts';
import type { TraceDiff } from '../../governance/rules/trace/diff.ts';
import type { Impact } from '../../governance/rules/trace/impact.ts';
import type { Replay } from '../../governance/rules/trace/replay.ts';
import { type JsonOption, printFound } from '../file-verb.ts';
import { EXIT } from '../host.ts';
import { forPeople } from '../output.ts';

const FILE = 'a .trace.jsonl file';
const compare = () => import('../../governance/commands/trace-compare.ts');

export function addTraceFileCommands(trace: Command): void {
  trace
    .command('show')
    .description('Tell what a session has been through, from its trace on file.')
    .argument('<file>', FILE)
    .option('--json', 'print JSON')
    .action(async (file: string, options: JsonOption) => {
      await printFound((await compare()).showTraceFile(file), options, forPeople);
    });
  trace
    .command('diff')
    .description('Compare two traces but for what is new in every run: ids, instants and hashes.')
    .argument('<a>', FILE)
    .argument('<b>', FILE)
    .option('--json', 'print JSON')
    .action(async (a: string, b: string, options: JsonOption) => {
      const { compatibility } = await printFound((await compare()).diffTraceFiles(a, b), options, diffText);
      if (compatibility === 'different') process.exitCode = EXIT.error;
    });
  addReplay(trace);
  addImpact(trace);
  trace
    .command('export')
    .description('Write a trace in a form that other tools read.')
    .argument('<file>', FILE)
    .addOption(
      new Option('--format <format>', 'JSON lines, Common Event Format, or OTLP in JSON')
        .choices(['jsonl', 'cef', 'otel'])
        .default('jsonl'),
    )
    .option('--out <file>', 'where to; standard output unless given')
    .action(async (file: string, options: { format: ExportFormat; out?: string }) => {
      const { exportTraceFile } = await import('../../governance/commands/trace-export.ts');
      const text = exportTraceFile(file, options.format);
      if (options.out === undefined) await printFound(text, {}, (found) => found.trimEnd());
      else {
        const { out } = options;
        await printFound(
          text.then((found) => writeFile(out, found)),
          {},
          () => out,
        );
      }
    });
}

function addReplay(trace: Command): void {
  trace
    .command('replay')
    .description('Decide every request of a trace again, and tell whether each comes out the same.')
    .argument('<file>', FILE)
    .requiredOption('--atlas <paths...>', 'the Atlases that were loaded then')
    .option('--inputs <file>', 'the recorded inputs, one JSON object per line')
    .option('--json', 'print JSON')
    .action(async (file: string, options: JsonOption & { inputs?: string; atlas: string[] }) => {
      const { replayTraceFile } = await compare();
      const replayed = replayTraceFile(file, options.inputs, options.atlas);
      const { deterministic } = await printFound(replayed, options, replayText);
      if (!deterministic) process.exitCode = EXIT.integrity;
    });
}

function addImpact(trace: Command): void {
  trace
    .command('impact')
    .description('Tell which recorded decisions a new version of an Atlas would change.')
    .requiredOption('--inputs <file>', 'the recorded inputs, one JSON object per line')
    .requiredOption('--atlas <paths...>', 'the Atlases that were loaded then')
    .requiredOption('--new <path>', 'the new version')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption & { inputs: string; atlas: string[]; new: string }) => {
      const { impactOfAtlas } = await compare();
      const { verdictText } = await import('./atlas-text.ts');
      const impact = impactOfAtlas(options.inputs, options.atlas, options.new);
      const { changed } = await printFound(impact, options, (found) => impactText(found, verdictText));
      if (changed.length > 0) process.exitCode = EXIT.error;
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

function impactText(
  { requests, decisions, skipped, changed }: Impact,
  verdictText: (verdict: Impact['changed'][number]['before']) => string,
): string {
  const verdict =
    changed.length === 0 ? pc.green('Nothing changes') : pc.yellow(`${changed.length} would change`);
  return [
    `${verdict}: ${decisions} decisions of ${requests} requests, ${skipped} requests skipped`,
    ...changed.map(
      ({ agent_id, action_id, before, after }) =>
        `  ${forPeople(action_id)} for ${forPeople(agent_id)}: ${verdictText(before)} → ${verdictText(after)}`,
    ),
  ].join('\n');
}
