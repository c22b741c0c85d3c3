import pc from 'picocolors';
import { named } from '../../../kernel/quoted.ts';
import { editors } from '../connect/editors.ts';
import { fileLines } from '../connect/summary.ts';
import type { Initialised } from './init-repository.ts';

/** What was done, what is recorded from now on, and how to undo it. */
export function initText(done: Initialised): string {
  return [...doneLines(done), '', ...recordedLines(done), '', ...nextLines(done)].join('\n');
}

function doneLines(done: Initialised): string[] {
  const { project, createdProject, taken, rules, profile, changedRules, connected, failed, made } = done;
  const tick = pc.green('✔');
  const state = rules.mode === 'enforce' ? 'enforced' : 'not enforced yet: nothing is denied';
  return [
    `${tick} Project ${pc.bold(named(project))}${createdProject ? ', new' : ''}: .baton/project.json`,
    ...(taken === undefined
      ? []
      : [
          `  ${pc.yellow('!')} ${named(taken)} is there already. If it is this repository’s: \`baton disconnect\`, then \`baton init --project ${taken}\`.`,
        ]),
    `${tick} Rules ${rules.id} ${rules.version} in .baton/atlas, ${state}${made.length > 0 ? pc.dim('  (commit .baton)') : ''}`,
    ...(profile === undefined
      ? []
      : [
          `${tick} Memory profile ${profile.did}${profile.created ? ', new' : ''}: agents propose to it, and read what you allow`,
        ]),
    ...(changedRules === undefined
      ? []
      : [
          `${pc.yellow('!')} .baton/atlas says version ${changedRules} and is not loaded: see \`baton guard\`, then \`baton guard update\`.`,
        ]),
    ...connected.flatMap(({ client, ...rest }) => [
      `${tick} ${client.title}: agent ${named(rest.record.actorId)}${client.hooks ? '' : pc.dim('  tools only: it has no hooks')}`,
      ...fileLines(rest),
      ...rest.notes.map((note) => `  ${pc.yellow('!')} ${note}`),
    ]),
    ...failed.map(({ client, reason }) => `${pc.yellow('!')} ${client.title} is not connected: ${reason}`),
    ...(connected.length + failed.length === 0
      ? [`${pc.yellow('!')} No coding agent was found on this machine.`]
      : []),
  ];
}

function recordedLines({ connected }: Initialised): string[] {
  if (!connected.some(({ record }) => record.hooks?.enabled))
    return ['Hooks are off: nothing is recorded by itself.'];
  const prompts = connected.some(({ record }) => record.hooks?.prompts);
  return [
    'Recorded from now on, in your own store and nowhere else: sessions, tool calls with the rule that decided,',
    `files changed, outcomes of commands, commits${prompts ? ', and the words of your prompts (`--no-prompts` leaves them out)' : ''}.`,
    'Passages in <private>…</private> never leave the client’s machine; secrets are removed. Details: docs/hooks.md.',
  ];
}

function nextLines({ connected, rules }: Initialised): string[] {
  if (connected.length === 0) {
    return [
      'Next:',
      `  1. \`baton connect CLIENT\` connects a coding agent: ${editors.map(({ name }) => name).join(', ')}.`,
      '  2. `baton deposit`, `baton facts`, `baton orient` and `baton search` work on this project from here.',
      '  3. `baton disconnect` undoes all of this.',
    ];
  }
  const steps = [
    ...connected.slice(0, 1).map(({ client }) => client.start),
    ...(rules.mode === 'log_only'
      ? ['`baton guard on` enforces the rules, after showing what they would have denied.']
      : []),
    '`baton status` shows who works on what; `baton doctor` checks everything.',
    '`baton hooks off` stops hooks here; `baton disconnect` undoes all of this.',
  ];
  return ['Next:', ...steps.map((step, at) => `  ${at + 1}. ${step}`)];
}
