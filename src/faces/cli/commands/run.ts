import type { Command } from 'commander';
import type { Host } from '../host.ts';
import { parentCommand } from './parent.ts';
import { addAttachVerb } from './run-attach.ts';
import { addGateVerbs } from './run-gates.ts';
import { addRecordVerbs } from './run-records.ts';
import { addTurnVerbs } from './run-turns.ts';

export function addRunCommands(program: Command, host: Host): void {
  const run = parentCommand(program, 'run', 'Deliver work in this repository: roles take turns under gates.');
  addTurnVerbs(run, host);
  addGateVerbs(run, host);
  addRecordVerbs(run);
  addAttachVerb(run, host);
}
