import { type Command, Option } from 'commander';
import pc from 'picocolors';
import { inline } from '../../kernel/quoted.ts';
import { visibleJson } from '../../kernel/visible-text.ts';
import { isDecision } from '../../spine/operations/decides.ts';
import type { CliFace } from '../../spine/operations/define.ts';
import { jsonTextOf } from '../../spine/operations/handler.ts';
import { decodeForm } from '../../spine/operations/text-form.ts';
import { asPerson } from './agent-session.ts';
import type { CommandInput, CommandOperation } from './command-operation.ts';
import { type Connection, EXIT, type Host } from './host.ts';
import { withConnection } from './operation.ts';

/** What the words that only hold commands are for. */
const GROUPS: Readonly<Record<string, string>> = {
  approvals: 'Agent actions that wait for approval.',
  atlas: 'What agents may do: load, inspect and analyse Atlases.',
  carp: 'Ask what is allowed, and run governed actions.',
  channel: 'Channels in which agents coordinate.',
  dashboard: 'Links to the dashboard.',
  facts: 'What is true now, and what was true before.',
  journal: 'The provable record of every change.',
  keys: 'Credentials for agents, people and scripts.',
  memory: 'What is known about a person, and with whose consent.',
  oauth: 'Clients that a person let in through the browser.',
  packages: 'What was done, decided and left open.',
  projects: 'The units of scope, access and backup.',
  relay: 'What agents say to each other.',
  review: 'Packages that wait for a reviewer.',
  runs: 'Governed runs that the server follows.',
  session: 'Work sessions, each with its callsign.',
  traces: 'Spans of what agents did.',
};

/**
 * Adds a command for every operation with a CLI face: its inputs by position or as options. When the first word of the
 * command line is known, only what begins with it: the others would be built for nothing at every start.
 */
export function addDerivedCommands(program: Command, host: Host, firstWord: string | undefined): void {
  const all = firstWord === undefined || firstWord.startsWith('-') || firstWord === 'help';
  for (const operation of host.operations) {
    for (const face of operation.faces) {
      if (all || face.command.split(' ')[0] === firstWord) addCommand(program, host, operation, face);
    }
  }
}

function addCommand(program: Command, host: Host, operation: CommandOperation, face: CliFace): void {
  const command = commandAt(program, face.command.split(' '));
  command.description(operation.summary);
  const inputs = operation.inputs.filter(({ name }) => !(face.fixed && name in face.fixed));
  const positional = new Set(face.positionals ?? []);
  for (const name of positional) {
    const input = inputs.find((candidate) => candidate.name === name);
    if (!input) throw new Error(`${operation.name}: no input ${name} for the command line`);
    command.argument(input.optional ? `[${name}]` : `<${name}>`, input.description);
  }
  for (const input of inputs) if (!positional.has(input.name)) command.addOption(optionFor(input));
  command.option('--json', 'print JSON');
  command.action(async (...given: unknown[]) => {
    const options = given.at(-2) as Record<string, unknown>;
    const flat: Record<string, unknown> = { ...face.fixed };
    [...positional].forEach((name, i) => {
      if (given[i] !== undefined) flat[name] = given[i];
    });
    for (const { name } of inputs) if (options[camel(name)] !== undefined) flat[name] = options[camel(name)];
    const own = inputs.find((input) => input.ownProject);
    if (own && flat[own.name] === undefined) flat[own.name] = await repositoryProject(host);
    await run(host, operation, decoded(inputs, flat), options.json === true);
  });
}

/** Loaded on demand, because most commands name no project. */
async function repositoryProject(host: Host): Promise<string | undefined> {
  const { projectHere } = await import('./connect/project-here.ts');
  return projectHere(host);
}

async function run(
  host: Host,
  operation: CommandOperation,
  flat: Record<string, unknown>,
  json: boolean,
): Promise<void> {
  const as = isDecision(operation, flat) ? await asPerson(host) : host;
  await withConnection(as, async (connection) => {
    if (operation.kind === 'stream') await follow(connection, operation, flat, json);
    else await print(operation, (await connection.call(operation, flat)).body, json);
  });
}

/** JSON for scripts, unchanged; for people, the renderer of the operation. */
async function print(operation: CommandOperation, body: string, json: boolean): Promise<void> {
  if (body === '') return;
  const { renderers } = await import('./renderers.ts');
  const { forPeople, printText } = await import('./output.ts');
  printText(body, json, renderers[operation.name] ?? forPeople);
  if (operation.name === 'relay.send' && ENDED_BADLY.has(JSON.parse(body).state))
    process.exitCode = EXIT.error;
}

function commandAt(parent: Command, words: readonly string[]): Command {
  let current = parent;
  for (const word of words) {
    const existing = current.commands.find((candidate) => candidate.name() === word);
    current = existing ?? current.command(word).description(GROUPS[word] ?? '');
  }
  return current;
}

function optionFor({ name, description, form, required, choices }: CommandInput): Option {
  const flag = `--${name.replaceAll('_', '-')}`;
  if (form === 'boolean') return new Option(flag, description);
  const many = form === 'list' || form === 'json list';
  const option = new Option(many ? `${flag} <values...>` : `${flag} <value>`, description);
  if (choices) option.choices(choices);
  return required ? option.makeOptionMandatory() : option;
}

/** Converts text to what the operation takes; structured inputs are given as JSON. */
function decoded(inputs: readonly CommandInput[], flat: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(flat)) {
    const form = inputs.find((input) => input.name === name)?.form;
    result[name] = form && isText(value) ? decodeForm(form, value) : value;
  }
  return result;
}

function isText(value: unknown): value is string | string[] {
  return (
    typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'))
  );
}

function camel(name: string): string {
  return name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Prints a stream until the reader interrupts. */
async function follow(
  connection: Connection,
  operation: CommandOperation,
  flat: Readonly<Record<string, unknown>>,
  json: boolean,
): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  for await (const item of connection.stream(operation, flat, stop.signal)) {
    const data = visibleJson(jsonTextOf(item.data));
    const line = json
      ? visibleJson(`{"id":${JSON.stringify(item.id)},"event":${JSON.stringify(item.event)},"data":${data}}`)
      : `${pc.dim(inline(item.id).padStart(6))}  ${pc.cyan(inline(item.event))}  ${data}`;
    process.stdout.write(`${line}\n`);
  }
}

/** The agent answered, so that the call succeeded; but a script that asked for work must not take this for done. */
const ENDED_BADLY: ReadonlySet<unknown> = new Set(['failed', 'rejected', 'canceled']);
