import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import pc from 'picocolors';
import { visibleJson } from '../../../kernel/visible-text.ts';
import { writePrivateFile } from '../../../platform/private-files.ts';
import type { RunReport } from '../../../slices/delivery/commands.ts';
import { cliErrors } from '../errors.ts';
import { EXIT, type Host } from '../host.ts';
import { comparedBy } from './run-server.ts';
import { decisionsText, eventLine, historyText, statusText, verifyText } from './run-text.ts';
import { count } from './run-turns.ts';
import { dirVerb, interrupted, machine, openRun, type RunOptions, show } from './run-verb.ts';

interface FilterOptions extends RunOptions {
  readonly run?: string;
  readonly limit?: number;
}

interface FileOptions extends RunOptions {
  readonly out?: string;
}

export function addRecordVerbs(run: Command, host: Host): void {
  dirVerb(run, 'status', 'Show the state of the run and what comes next.').action(
    async (options: RunOptions) => {
      const { run: commands, repository } = await openRun(host, options);
      show(options, await commands.runStatus(repository), statusText);
    },
  );
  addLists(run, host);
  addWatch(run, host);
  addLog(run, host);
  addVerify(run, host);
  addExport(run, host);
  addReport(run, host);
}

function addLists(run: Command, host: Host): void {
  listVerb(run, 'history', 'List the accepted turns.').action(async (options: FilterOptions) => {
    const { run: commands, repository } = await openRun(host, options);
    show(options, await commands.listHistory(await repository.records(), filterOf(options)), historyText);
  });
  listVerb(run, 'decisions', 'List decisions.')
    .option('--lasting', 'only decisions that outlive their run')
    .option('--all', 'include approvals, rejections and escalations')
    .action(async (options: FilterOptions & { lasting?: boolean; all?: boolean }) => {
      const { run: commands, repository } = await openRun(host, options);
      const root = await repository.records();
      const rows = options.lasting
        ? await commands.listRepoDecisions(root)
        : await (options.all ? commands.listLedger : commands.listDecisions)(root, filterOf(options));
      show(options, rows, decisionsText);
    });
  listVerb(run, 'events', 'List events in order.').action(async (options: FilterOptions) => {
    const { run: commands, repository } = await openRun(host, options);
    const events = await commands.listEvents(await repository.records(), filterOf(options));
    show(options, events, (rows) =>
      rows.length === 0 ? pc.dim('Nothing has happened yet.') : rows.map(eventLine).join('\n'),
    );
  });
}

function listVerb(run: Command, name: string, description: string): Command {
  return dirVerb(run, name, description)
    .option('--run <id>', 'only this run (default: every run of the repository)')
    .option('--limit <count>', 'only the latest ones', count);
}

function filterOf({ run, limit }: FilterOptions) {
  return { ...(run !== undefined && { runId: run }), ...(limit !== undefined && { limit }) };
}

function addWatch(run: Command, host: Host): void {
  dirVerb(run, 'watch', 'Follow the run live until it is complete.')
    .option('--from-start', 'include earlier events')
    .action(async (options: RunOptions & { fromStart?: boolean }) => {
      const { run: commands, repository } = await openRun(host, options);
      const { state } = await repository.snapshot();
      const records = await repository.records();
      const before = await commands.listEvents(records);
      const stop = new AbortController();
      interrupted().addEventListener('abort', () => stop.abort());
      if (state.status === 'completed') {
        for (const event of options.fromStart ? before : []) show(options, event, eventLine);
        if (!options.json) process.stdout.write(`${pc.dim('The run is complete.')}\n`);
        return;
      }
      const skip = options.fromStart ? 0 : before.length;
      for await (const event of commands.followEvents(records, stop.signal, skip)) {
        show(options, event, eventLine);
        if (event.event_type === 'run_completed' && event.run_id === state.run_id) stop.abort();
      }
    });
}

function addLog(run: Command, host: Host): void {
  dirVerb(run, 'log', 'Show what the agent of a turn printed.')
    .option('--turn <id>', 'which turn (default: the latest)')
    .option('--attempt <n>', 'which attempt (default: the latest)', count)
    .action(async (options: RunOptions & { turn?: string; attempt?: number }) => {
      const { run: commands, repository } = await openRun(host, options);
      const log = await commands.readTurnLog(repository.root, options.turn, options.attempt);
      show(options, log, ({ text }) => text.trimEnd() || pc.dim('Nothing was printed.'));
    });
}

function addVerify(run: Command, host: Host): void {
  dirVerb(run, 'verify', 'Check that the governed files are consistent with each other and with the rules.')
    .option('--replay', 'rerun the commands that the last turn’s verification names')
    .option('--turn <id>', 'with --replay: which turn')
    .action(async (options: RunOptions & { replay?: boolean; turn?: string }) => {
      const { run: commands, repository } = await openRun(host, options);
      if (options.replay) {
        const replayed = await commands.replayEvidence(repository, options.turn);
        show(options, replayed, ({ commands: ran, turnId }) =>
          [
            `Turn ${turnId}:`,
            ...ran.map(
              ({ command, claimed, found, holds }) =>
                `  ${holds ? pc.green('✓') : pc.red('✗')} ${command} ended with ${found}, ${claimed} was claimed`,
            ),
          ].join('\n'),
        );
        if (!replayed.holds) process.exitCode = EXIT.integrity;
        return;
      }
      const report = await commands.verifyRun(repository, comparedBy(host));
      show(options, report, verifyText);
      if (!report.ok) process.exitCode = EXIT.integrity;
    });
}

function addExport(run: Command, host: Host): void {
  dirVerb(run, 'export', 'Write every governed file, with its digest, as one document.')
    .option('--out <file>', 'output file (default: standard output)')
    .action(async (options: FileOptions) => {
      const { run: commands, repository } = await openRun(host, options);
      await put(options, `${visibleJson(JSON.stringify(await commands.exportRun(repository), null, 2))}\n`);
    });
}

function addReport(run: Command, host: Host): void {
  dirVerb(run, 'report', 'Report the outcome of the run, from a verified export only.')
    .addOption(
      new Option('--format <form>', 'output format')
        .choices(['markdown', 'html', 'json', 'junit', 'github'])
        .default('markdown'),
    )
    .option('--from <file>', 'an export (default: this repository)')
    .option('--out <file>', 'output file (default: standard output)')
    .action(async (options: FileOptions & { format: string; from?: string }) => {
      const { run: commands, repository } = await openRun(host, options);
      const document =
        options.from === undefined ? await commands.exportRun(repository) : await readJson(options.from);
      const report = commands.reportOf(document, machine.hasher);
      if (options.json || options.format === 'json')
        return put(options, `${visibleJson(JSON.stringify(report))}\n`);
      const forms: Readonly<Record<string, (report: RunReport) => string>> = {
        html: commands.reportHtml,
        junit: commands.reportJunit,
        github: commands.reportGithub,
      };
      await put(options, (forms[options.format] ?? commands.reportMarkdown)(report));
    });
}

/** To the named file, with a note on standard output; otherwise just to standard output. */
async function put({ out, json }: FileOptions, text: string): Promise<void> {
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  await writePrivateFile(out, text);
  if (!json) process.stdout.write(`Wrote ${out}.\n`);
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw cliErrors.file_unreadable({ message: `${file} cannot be read as JSON.`, cause });
  }
}
