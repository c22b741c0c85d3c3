/** The verbs that compare, replay and translate traces on file. */
import { type Command, Option } from 'commander';
import pc from 'picocolors';
import { writePrivateFile } from '../../../platform/private-files.ts';
import type { AtlasManifest } from '../../../slices/governance/atlases/schema.ts';
import type { ExportFormat } from '../../../slices/governance/traces/export.ts';
import type { TraceDiff } from '../../../slices/governance/traces/rules/diff.ts';
import type { Impact } from '../../../slices/governance/traces/rules/impact.ts';
import type { Replay } from '../../../slices/governance/traces/rules/replay.ts';
import type { RecordedInput } from '../../../slices/governance/traces/schema.ts';
import { cliErrors } from '../errors.ts';
import { type JsonOption, printFound } from '../file-verb.ts';
import { EXIT, type Host } from '../host.ts';
import { ask, withConnection } from '../operation.ts';
import { forPeople } from '../output.ts';

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
  addImpact(trace, host);
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

interface ImpactOptions extends JsonOption {
  readonly inputs?: string;
  readonly atlas?: string[];
  readonly new: string;
}

function addImpact(trace: Command, host: Host): void {
  trace
    .command('impact')
    .description('List recorded decisions that a new version of an Atlas would change.')
    .argument('[session-id]', 'a session on the server; or use --inputs and --atlas for files')
    .requiredOption('--new <path>', 'the new version')
    .option('--inputs <file>', 'the recorded inputs, one JSON object per line')
    .option('--atlas <paths...>', 'the Atlases that were loaded at the time')
    .option('--json', 'print JSON')
    .action(async (sessionId: string | undefined, options: ImpactOptions) => {
      const { verdictText } = await import('./atlas-text.ts');
      const impact =
        sessionId === undefined ? impactOnFiles(options) : impactOnServer(host, sessionId, options);
      const { changed } = await printFound(impact, options, (found) => impactText(found, verdictText));
      if (changed.length > 0) process.exitCode = EXIT.error;
    });
}

async function impactOnFiles({ inputs, atlas, new: next }: ImpactOptions): Promise<Impact> {
  if (inputs === undefined || atlas === undefined) {
    throw cliErrors.bad_arguments({
      message: 'There is nothing to compare with.',
      next: 'Name a session on the server, or pass --inputs and --atlas.',
    });
  }
  return (await compare()).impactOfAtlas(inputs, atlas, next);
}

async function impactOnServer(host: Host, sessionId: string, { new: next }: ImpactOptions): Promise<Impact> {
  return withConnection(host, async (connection) => {
    const { items } = (await ask(connection, host, 'trace.inputs', { session_id: sessionId })) as {
      items: RecordedInput[];
    };
    const loaded = (await ask(connection, host, 'atlas.list', {})) as { atlas_id: string }[];
    const used = new Set(items.flatMap(({ atlases }) => atlases.map(({ atlas_id }) => atlas_id)));
    const manifests: AtlasManifest[] = [];
    for (const { atlas_id } of loaded) {
      if (used.has(atlas_id)) manifests.push(await ask(connection, host, 'atlas.get', { atlas_id }));
    }
    return await (await compare()).impactOnSession(items, manifests, next);
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
    `${verdict}: ${decisions} decisions of ${requests} requests${skipped === 0 ? '' : `, ${skipped} skipped because the Atlas they were decided by is not at hand`}`,
    ...changed.map(
      ({ agent_id, action_id, before, after }) =>
        `  ${forPeople(action_id)} for ${forPeople(agent_id)}: ${verdictText(before)} → ${verdictText(after)}`,
    ),
  ].join('\n');
}
