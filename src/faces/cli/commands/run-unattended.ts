import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import pc from 'picocolors';
import { asRecords, asString } from '../../../kernel/json/loose.ts';
import type { NewIntent, QueuedIntent, UnattendedResult } from '../../../slices/delivery/commands.ts';
import { cliErrors } from '../errors.ts';
import { EXIT, type Host } from '../host.ts';
import { ask, withConnection } from '../operation.ts';
import { eventLine, nextLine } from './run-text.ts';
import { type GoOptions, stepOptions } from './run-turns.ts';
import { dirVerb, openRun, type RunOptions, show } from './run-verb.ts';

export function addUnattendedVerbs(run: Command, host: Host): void {
  dirVerb(run, 'unattended', 'Continue, then take what is scheduled and queued, until a person is needed.')
    .option('--quiet', 'do not show what agents print')
    .action(async (options: GoOptions) => {
      const { run: commands, repository } = await openRun(host, options);
      const result = await commands.runUnattended(repository, {
        ...(await stepOptions(options, host)),
        onStep: (step) => {
          if (!options.json) process.stdout.write(`${step.events.map(eventLine).join('\n')}\n`);
        },
      });
      show(options, result, unattendedText);
      if (result.stopped === 'person_needed') process.exitCode = EXIT.error;
    });
  addIntake(run, host);
}

function addIntake(run: Command, host: Host): void {
  const intake = run.command('intake').description('What runs should take up next.');
  dirVerb(intake, 'add <title...>', 'Queue a piece of work.')
    .option('--body <text>', 'more about it')
    .action(async (title: string[], options: RunOptions & { body?: string }) => {
      const { body } = options;
      const source = { kind: 'person' as const, ref: null };
      await add(host, options, [{ title: title.join(' '), source, ...(body !== undefined && { body }) }]);
    });
  dirVerb(intake, 'list', 'List the queue.').action(async (options: RunOptions) => {
    const { run: commands, repository } = await openRun(host, options);
    show(options, await commands.listIntents(repository.root), queueText);
  });
  dirVerb(
    intake,
    'issues <path>',
    'Queue the open issues of a file or folder (gh’s JSON, or Markdown).',
  ).action(async (path: string, options: RunOptions) => {
    const { readIssues } = await import('../../../slices/delivery/commands.ts');
    const found: NewIntent[] = [];
    for (const file of await filesOf(path))
      found.push(...readIssues(basename(file), await readFile(file, 'utf8')));
    await add(host, options, found);
  });
  dirVerb(intake, 'questions', 'Queue the packages of type question in a project.')
    .requiredOption('--project <id>', 'the project')
    .action(async (options: RunOptions & { project: string }) => {
      await withConnection(host, async (connection) => {
        const flat = { project_id: options.project, limit: 100 };
        const packages = asRecords(await ask(connection, host, 'packages.list', flat));
        const questions = packages.filter((each) => each.type === 'question');
        await add(
          host,
          options,
          questions.map((each) => ({
            title: asString(each.title) ?? 'A question',
            body: asString(each.description) ?? '',
            source: { kind: 'package', ref: `package:${String(each.package_id)}` },
          })),
        );
      });
    });
}

async function add(host: Host, options: RunOptions, wanted: readonly NewIntent[]): Promise<void> {
  const { run: commands, repository } = await openRun(host, options);
  const added = await commands.addIntents(repository, wanted);
  show(options, { added, next: 'baton run unattended' }, (value) =>
    [queueText(value.added), nextLine(value.next)].join('\n'),
  );
}

async function filesOf(path: string): Promise<readonly string[]> {
  const info = await stat(path).catch((cause) => {
    throw cliErrors.file_unreadable({ message: `${path} cannot be read.`, cause });
  });
  if (!info.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => /\.(md|json)$/.test(name));
  return names.sort().map((name) => join(path, name));
}

function queueText(intents: readonly QueuedIntent[]): string {
  if (intents.length === 0) return pc.dim('Nothing new is queued.');
  return intents.map(({ id, title, status }) => `${pc.dim(id)}  ${status.padEnd(8)}${title}`).join('\n');
}

function unattendedText({ stopped, runs, waitsFor, next }: UnattendedResult): string {
  return [
    ...runs.map((each) => `${pc.bold(each.run_id)}  ${each.stopped.padEnd(16)}${each.title ?? ''}`),
    `Stopped: ${stopped.replaceAll('_', ' ')}.`,
    ...(waitsFor === null ? [] : [`${pc.cyan(waitsFor.who)}: ${waitsFor.reason}`]),
    nextLine(next),
  ].join('\n');
}
