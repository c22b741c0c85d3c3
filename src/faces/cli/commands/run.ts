import { resolve } from 'node:path';
import type { Command } from 'commander';
import { asPerson } from '../agent-session.ts';
import type { Host } from '../host.ts';
import { ask, type Body, withConnection } from '../operation.ts';
import { parentCommand } from './parent.ts';
import { addGateVerbs } from './run-gates.ts';
import { addRecordVerbs } from './run-records.ts';
import { addSetupVerbs } from './run-setup.ts';
import { nextLine } from './run-text.ts';
import { addTurnVerbs } from './run-turns.ts';
import { addUnattendedVerbs } from './run-unattended.ts';
import { dirVerb, type RunOptions, show } from './run-verb.ts';

export function addRunCommands(program: Command, host: Host): void {
  const run = parentCommand(program, 'run', 'Deliver work in this repository in turns, through gates.');
  addSetupVerbs(run, host);
  addTurnVerbs(run, host);
  addUnattendedVerbs(run, host);
  addGateVerbs(run, host);
  addRecordVerbs(run, host);
  addAttachVerb(run, host);
}

function addAttachVerb(run: Command, host: Host): void {
  dirVerb(
    run,
    'attach',
    'Have the server follow this repository: gates become inbox items, turns become packages.',
  )
    .requiredOption('--project <id>', 'the project that it belongs to')
    .action(async (options: RunOptions & { project: string }) => {
      const by = await asPerson(host);
      await withConnection(by, async (connection) => {
        const flat = { project_id: options.project, path: resolve(options.dir) };
        const attached = await ask(connection, by, 'delivery.attach', flat);
        show(options, attached, attachedText);
      });
    });
}

function attachedText({ id, project_id, root, events_seen }: Body): string {
  return [
    `${root} belongs to project ${project_id} as ${id}; ${events_seen} event(s) on record.`,
    'While a server is running, its gates and questions appear in the inbox.',
    nextLine('baton inbox'),
  ].join('\n');
}
