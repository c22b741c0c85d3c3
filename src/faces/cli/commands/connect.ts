import { homedir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import type { Command } from 'commander';
import pc from 'picocolors';
import { named } from '../../../kernel/quoted.ts';
import { visible, visibleJson } from '../../../kernel/visible-text.ts';
import { type Checked, checkConnection } from '../connect/check-connection.ts';
import {
  type ConnectionRecord,
  connectionName,
  listConnections,
  writeConnection,
} from '../connect/connection-record.ts';
import { type Editor, editors, otherClient } from '../connect/editors.ts';
import { connectErrors } from '../connect/errors.ts';
import {
  applyEdit,
  type FileEdit,
  lineDiff,
  planEntry,
  planInstructions,
  remembered,
} from '../connect/file-edits.ts';
import { onThisMachine, openConnection, projectOr } from '../connect/open-connection.ts';
import { launchOf, type Places } from '../connect/server-entry.ts';
import type { Host } from '../host.ts';
import { table } from '../output.ts';

interface ConnectOptions {
  readonly project?: string;
  readonly global?: boolean;
  readonly instructions?: boolean;
  readonly dryRun?: boolean;
  readonly print?: boolean;
  readonly list?: boolean;
  readonly json?: boolean;
}

export function addConnectCommand(program: Command, host: Host): void {
  program
    .command('connect')
    .description('Connect a coding agent: create its key, write its MCP configuration, and test it.')
    .argument('[editor]', editors.map(({ name }) => name).join(', '))
    .option('--project <id>', 'the project of its key (default: your default project)')
    .option('--global', "write to the user's file instead of this folder's")
    .option('--instructions', 'also add instructions to orient and deposit to the agent’s instructions file')
    .option('--dry-run', 'show what would be written without changing anything')
    .option('--print', 'print the configuration for any other MCP client without writing a file')
    .option('--list', 'list editors, their files and existing connections')
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, options: ConnectOptions) => {
      if (options.list) return printEditors(host, placesHere(), options.json === true);
      const editor = chooseEditor(name, options.print === true);
      if (options.print) return printBlock(host, editor, options);
      return options.dryRun ? showPlan(host, editor, options) : connectEditor(host, editor, options);
    });
}

export function placesHere(): Places {
  const { PATH = '', XDG_CONFIG_HOME, APPDATA } = process.env;
  return {
    home: homedir(),
    project: process.cwd(),
    platform: process.platform,
    config: process.platform === 'win32' ? APPDATA : XDG_CONFIG_HOME,
    path: PATH.split(delimiter).filter(Boolean),
  };
}

function chooseEditor(name: string | undefined, printed: boolean): Editor {
  const known = editors.find((editor) => editor.name === name);
  if (known) return known;
  if (printed) return otherClient(name ?? 'mcp-client');
  throw connectErrors.editor_unknown({
    message: `${name === undefined ? 'Name an editor' : `Baton does not know ${name}`}: ${editors.map((editor) => editor.name).join(', ')}.`,
  });
}

/** What is to be written for a connection of this name. */
async function planFiles(host: Host, editor: Editor, connection: string, options: ConnectOptions) {
  const places = placesHere();
  const entry = await launchOf(connection, host.settings, places);
  const file =
    options.global || editor.projectFile === undefined
      ? editor.userFile(places)
      : join(places.project, editor.projectFile);
  const edits: FileEdit[] = [await planEntry(editor, file, entry)];
  if (options.instructions) {
    edits.push(await planInstructions(join(places.project, editor.instructionsFile)));
  }
  return { entry, file, edits };
}

async function connectEditor(host: Host, editor: Editor, options: ConnectOptions): Promise<void> {
  const { record, edits, written, file } = await onThisMachine(host, async (to) => {
    const project = await projectOr(to, host, options.project);
    // A file that cannot be edited is found out before a key is made for nothing.
    const plan = await planFiles(host, editor, connectionName(editor.name, project), options);
    const opened = await openConnection(to, host, editor, project);
    const record = { ...opened, files: remembered(opened, plan.edits) };
    await writeConnection(host.settings.dataDir, record);
    const written: string[] = [];
    for (const edit of plan.edits) if (await applyEdit(edit)) written.push(edit.touched.path);
    return { record, written, ...plan };
  });
  const entry = editor.format.read(edits[0]?.after ?? '', editor.section);
  if (!entry) throw connectErrors.config_unusable({ message: `${file} does not hold the entry.` });
  const checked = await checkConnection(entry, process.cwd());
  const text = options.json
    ? visibleJson(JSON.stringify(report(record, edits, written, checked)))
    : summary(editor, record, edits, written, checked);
  process.stdout.write(`${text}\n`);
}

async function showPlan(host: Host, editor: Editor, options: ConnectOptions): Promise<void> {
  const project = await onThisMachine(host, (to) => projectOr(to, host, options.project));
  const { edits } = await planFiles(host, editor, connectionName(editor.name, project), options);
  for (const { touched, before, after } of edits) {
    const diff = lineDiff(before ?? '', after ?? '');
    process.stdout.write(`${pc.bold(shown(touched.path))}\n${visible(diff) || pc.dim('  stays as it is')}\n`);
  }
}

async function printBlock(host: Host, editor: Editor, options: ConnectOptions): Promise<void> {
  const record = await onThisMachine(host, async (to) => {
    const opened = await openConnection(to, host, editor, await projectOr(to, host, options.project));
    await writeConnection(host.settings.dataDir, opened);
    return opened;
  });
  const entry = await launchOf(record.name, host.settings, placesHere());
  process.stdout.write(editor.format.put('', editor.section, editor.members(entry)));
}

function report(
  { name, editor, actorId, project, keyId }: ConnectionRecord,
  edits: readonly FileEdit[],
  written: readonly string[],
  { tools }: Checked,
) {
  const files = edits.map(({ touched }) => touched.path);
  return { connection: name, editor, project, actor_id: actorId, key_id: keyId, files, written, tools };
}

function summary(
  editor: Editor,
  { actorId, project, keyId }: ConnectionRecord,
  edits: readonly FileEdit[],
  written: readonly string[],
  { tools, briefing }: Checked,
): string {
  const files = edits.map(({ touched }) => {
    const state = written.includes(touched.path) ? 'written' : 'was already so';
    return `  ${shown(touched.path)}  ${pc.dim(state)}`;
  });
  return [
    `${pc.green('✔')} ${editor.title} is connected to project ${pc.bold(named(project))} as agent ${pc.bold(named(actorId))}, key ${keyId}.`,
    ...files,
    `${pc.green('✔')} Checked as ${editor.title} would start it: ${tools} tools, and orient answered ${briefing.length} characters.`,
    '',
    'Next:',
    `  1. ${editor.start}`,
    '  2. Ask it: "Orient yourself with Baton, then go on where the last session stopped."',
    `  3. See what it leaves with \`baton orient\`; end the connection with \`baton disconnect ${editor.name}\`.`,
  ].join('\n');
}

function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}

/** Which editors there are, where each is configured, and which connections this data directory holds. */
async function printEditors(host: Host, places: Places, json: boolean): Promise<void> {
  const connections = (await listConnections(host.settings.dataDir)).map(
    ({ name, editor, actorId, project, keyId, files }) => ({
      connection: name,
      editor,
      project,
      actor_id: actorId,
      key_id: keyId,
      files: files.map(({ path }) => path),
    }),
  );
  const known = editors.map((editor) => ({
    editor: editor.name,
    title: editor.title,
    project_file: editor.projectFile ?? null,
    user_file: editor.userFile(places),
  }));
  if (json) {
    process.stdout.write(`${visibleJson(JSON.stringify({ editors: known, connections }))}\n`);
    return;
  }
  const rows = connections.map(({ files, ...rest }) => ({ ...rest, files: files.join(', ') }));
  process.stdout.write(
    `${table(known)}\n\n${rows.length === 0 ? pc.dim('No connections yet: create one with `baton connect EDITOR`.') : table(rows)}\n`,
  );
}
