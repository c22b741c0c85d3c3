import { type Command, Option } from 'commander';
import pc from 'picocolors';
import { z } from 'zod';
import type { CliFace, Operation } from '../../spine/operations/define.ts';
import { jsonTextOf } from '../../spine/operations/handler.ts';
import { decodeText, unwrapped } from '../../spine/operations/text-input.ts';
import type { Connection, Host } from './host.ts';
import { withConnection } from './operation.ts';
import { forPeople } from './output.ts';
import { renderers } from './renderers.ts';

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
  packages: 'What was done, decided and left open.',
  projects: 'The units of scope, access and backup.',
  relay: 'What agents say to each other.',
  review: 'Packages that wait for a reviewer.',
  runs: 'Governed runs that the server follows.',
  session: 'Work sessions, each with its callsign.',
  traces: 'Spans of what agents did.',
};

interface Argument {
  readonly name: string;
  readonly schema: z.ZodType;
}

/**
 * Adds a command for every operation with a CLI face: its inputs by position or as options. When the first word of the
 * command line is known, only what begins with it: the others would be built for nothing at every start.
 */
export function addDerivedCommands(program: Command, host: Host, firstWord: string | undefined): void {
  const all = firstWord === undefined || firstWord.startsWith('-') || firstWord === 'help';
  for (const operation of host.operations) {
    const faces =
      operation.cli === undefined ? [] : Array.isArray(operation.cli) ? operation.cli : [operation.cli];
    for (const face of faces as CliFace[]) {
      if (all || face.command.split(' ')[0] === firstWord) addCommand(program, host, operation, face);
    }
  }
}

function addCommand(program: Command, host: Host, operation: Operation, face: CliFace): void {
  const command = commandAt(program, face.command.split(' '));
  command.description(operation.summary);
  const inputs = argumentsOf(operation).filter(({ name }) => !(face.fixed && name in face.fixed));
  const positional = new Set(face.positionals ?? []);
  for (const name of positional) {
    const input = inputs.find((candidate) => candidate.name === name);
    if (!input) throw new Error(`${operation.name}: no input ${name} for the command line`);
    command.argument(
      input.schema instanceof z.ZodOptional ? `[${name}]` : `<${name}>`,
      describe(input.schema),
    );
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
    await run(host, operation, decoded(inputs, flat), options.json === true);
  });
}

async function run(
  host: Host,
  operation: Operation,
  flat: Record<string, unknown>,
  json: boolean,
): Promise<void> {
  await withConnection(host, async (connection) => {
    if (operation.kind === 'stream') await follow(connection, operation, flat, json);
    else print(operation, (await connection.call(operation, flat)).body, json);
  });
}

/** JSON for scripts, unchanged; for people, the renderer of the operation. */
function print(operation: Operation, body: string, json: boolean): void {
  if (body === '') return;
  const text = json ? body : (renderers[operation.name] ?? forPeople)(JSON.parse(body));
  process.stdout.write(`${text}\n`);
}

function commandAt(parent: Command, words: readonly string[]): Command {
  let current = parent;
  for (const word of words) {
    const existing = current.commands.find((candidate) => candidate.name() === word);
    current = existing ?? current.command(word).description(GROUPS[word] ?? '');
  }
  return current;
}

/** All inputs of an operation, in the order of its parts. */
function argumentsOf(operation: Operation): Argument[] {
  const { path, query, headers, body } = operation.input;
  const found = [path, query, headers].flatMap((part) =>
    Object.entries((part?.shape ?? {}) as Record<string, z.ZodType>).map(([name, schema]) => ({
      name,
      schema,
    })),
  );
  const bare = body && unwrapped(body);
  if (body && operation.bodyName) found.push({ name: operation.bodyName, schema: body });
  else if (bare instanceof z.ZodObject) {
    found.push(
      ...Object.entries(bare.shape as Record<string, z.ZodType>).map(([name, schema]) => ({ name, schema })),
    );
  }
  return found;
}

function optionFor({ name, schema }: Argument): Option {
  const bare = unwrapped(schema);
  const flag = `--${name.replaceAll('_', '-')}`;
  if (bare instanceof z.ZodBoolean) return new Option(flag, describe(schema));
  const option = new Option(
    bare instanceof z.ZodArray ? `${flag} <values...>` : `${flag} <value>`,
    describe(schema),
  );
  if (bare instanceof z.ZodEnum) option.choices(bare.options.map(String));
  return schema.safeParse(undefined).success ? option : option.makeOptionMandatory();
}

function describe(schema: z.ZodType): string {
  return schema.description ?? unwrapped(schema).description ?? '';
}

/** Converts text to what the schema expects; structured inputs are given as JSON. */
function decoded(inputs: readonly Argument[], flat: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(flat)) {
    const schema = inputs.find((input) => input.name === name)?.schema;
    result[name] = schema && isText(value) ? decodeText(schema, value) : value;
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
  operation: Operation,
  flat: Readonly<Record<string, unknown>>,
  json: boolean,
): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  for await (const item of connection.stream(operation, flat, stop.signal)) {
    const line = json
      ? `{"id":${JSON.stringify(item.id)},"event":${JSON.stringify(item.event)},"data":${jsonTextOf(item.data)}}`
      : `${pc.dim(item.id.padStart(6))}  ${pc.cyan(item.event)}  ${jsonTextOf(item.data)}`;
    process.stdout.write(`${line}\n`);
  }
}
