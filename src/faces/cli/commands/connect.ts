import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import pc from 'picocolors';
import { visibleJson } from '../../../kernel/visible-text.ts';
import { requirePerson } from '../agent-session.ts';
import { bindProject, ensureProject } from '../connect/bind-project.ts';
import { projectFileAbove } from '../connect/binding.ts';
import { type Checked, checkConnection } from '../connect/check-connection.ts';
import {
  type Connected,
  type ConnectRequest,
  connectClient,
  planConnection,
} from '../connect/connect-client.ts';
import { listConnections, writeConnection } from '../connect/connection-record.ts';
import { type Editor, editors, otherClient } from '../connect/editors.ts';
import { connectErrors } from '../connect/errors.ts';
import { launchHere, mcpEntry } from '../connect/launch.ts';
import { withConnectionsLock } from '../connect/lock.ts';
import { onThisMachine, openConnection, projectOfAgentKey, projectOr } from '../connect/open-connection.ts';
import { placesHere, programAt } from '../connect/places.ts';
import { type Repository, repositoryAt } from '../connect/repository.ts';
import { connectedText, diffText } from '../connect/summary.ts';
import { cliErrors } from '../errors.ts';
import type { Host } from '../host.ts';
import { withConnection } from '../operation.ts';
import { table } from '../output.ts';
import { askSecret } from '../presence.ts';

interface ConnectOptions {
  readonly project?: string;
  readonly global?: boolean;
  readonly team?: boolean;
  readonly hooks?: boolean;
  readonly prompts?: boolean;
  readonly instructions?: boolean;
  readonly url?: string;
  readonly keyFile?: string;
  readonly signIn?: boolean;
  readonly dryRun?: boolean;
  readonly print?: boolean;
  readonly list?: boolean;
  readonly json?: boolean;
}

export function addConnectCommand(program: Command, host: Host): void {
  program
    .command('connect')
    .description('Connect a coding agent: its key, its MCP tools and its hooks in this repository, tested.')
    .argument('[client]', editors.map(({ name }) => name).join(', '))
    .option('--project <id>', 'the project, created if it is missing (default: this repository’s)')
    .option('--team', 'write to the files that the repository shares')
    .option('--global', "write to the user's files instead of this repository's")
    .option('--no-hooks', 'connect the tools alone: nothing is guarded or recorded by itself')
    .option('--no-prompts', 'leave the words of prompts out of what is recorded')
    .option('--instructions', 'also add instructions to orient and deposit to the agent’s instructions file')
    .option('--url <url>', 'a team’s server instead of this machine’s store')
    .option(
      '--key-file <file>',
      'with --url: the file with the agent’s key (default: BATON_TOKEN, or asked for)',
    )
    .option('--sign-in', 'with --url: no key; the client signs in by itself, in the browser')
    .option('--dry-run', 'show what would be written without changing anything')
    .option('--print', 'print the configuration for any other MCP client without writing a file')
    .option('--list', 'list clients, their files and existing connections')
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, options: ConnectOptions, command: Command) => {
      if (options.list) return printEditors(host, options.json === true);
      const editor = chooseEditor(name, options.print === true);
      if (options.print) return printBlock(host, editor, options);
      if (options.dryRun) return showPlan(host, editor, options);
      const by = await requirePerson(host);
      const chosen = (flag: string) =>
        command.getOptionValueSource(flag) === 'cli' ? (command.getOptionValue(flag) as boolean) : undefined;
      const given = { ...options, hooks: chosen('hooks'), prompts: chosen('prompts') };
      return options.url === undefined
        ? connectHere(by, editor, given)
        : connectElsewhere(by, editor, given, options.url);
    });
}

function chooseEditor(name: string | undefined, printed: boolean): Editor {
  const known = editors.find((editor) => editor.name === name);
  if (known) return known;
  if (printed) return otherClient(name ?? 'mcp-client');
  throw connectErrors.editor_unknown({
    message: `${name === undefined ? 'Name a client' : `Baton does not know ${name}`}: ${editors.map((editor) => editor.name).join(', ')}.`,
  });
}

type Given = Omit<ConnectOptions, 'hooks' | 'prompts'> & Pick<ConnectRequest, 'hooks' | 'prompts'>;

/** The repository around this folder, or the folder that names a project by itself. */
export function repositoryHere(host: Host): Repository | undefined {
  const named = projectFileAbove(process.cwd(), host.settings.dataDir);
  return named ? { root: named.root } : repositoryAt(process.cwd());
}

async function connectHere(host: Host, editor: Editor, given: Given): Promise<void> {
  const repository = repositoryHere(host);
  const connected = await withConnectionsLock(host.settings.dataDir, () =>
    onThisMachine(host, async (to) => {
      const base = { editor, repository, ...choices(given) };
      if (!repository) {
        const project = await projectOr(to, host, given.project);
        if (given.project !== undefined) await ensureProject(to, host, project);
        return connectClient(to, host, { ...base, project });
      }
      // A file that cannot be edited is found out before anything is made.
      await planConnection(host, { ...base, project: given.project ?? 'unknown' });
      const { project, made } = await bindProject(to, host, repository, given.project);
      return connectClient(to, host, { ...base, project, made });
    }),
  );
  await report(host, editor, connected, given.json === true, repository);
}

const choices = ({ team, global, instructions, hooks, prompts }: Given) => ({
  team,
  global,
  instructions,
  hooks,
  prompts,
});

/** To a team's server: its key is kept in the data directory, never in a client's file. */
async function connectElsewhere(host: Host, editor: Editor, given: Given, url: string): Promise<void> {
  const repository = repositoryHere(host);
  if (!repository) {
    throw connectErrors.repository_unusable({
      message: '`--url` connects a repository, and this folder is in none.',
    });
  }
  const address = addressOf(url);
  const key = given.signIn ? undefined : await keyFor(given.keyFile, host);
  const remote = { url: address, ...(key !== undefined && { key }) };
  const there: Host = { ...host, settings: { ...host.settings, url: address, token: key } };
  const connect = async (work: Parameters<typeof withConnection<Connected>>[1]) =>
    withConnectionsLock(host.settings.dataDir, () => withConnection(there, work));
  const connected = await connect(async (to) => {
    const base = { editor, repository, remote, ...choices(given) };
    const own = key === undefined ? undefined : await projectOfAgentKey(to, there, editor);
    const named = projectFileAbove(repository.root, host.settings.dataDir)?.project;
    const project = given.project ?? named ?? own;
    if (project === undefined) {
      throw connectErrors.repository_unusable({
        message: 'Nothing says which project of that server this repository belongs to.',
        next: 'Name it with `--project ID`.',
      });
    }
    const { made } = await bindProject(to, there, repository, project, key !== undefined);
    return connectClient(to, there, { ...base, project, made });
  });
  if (key === undefined) {
    process.stdout.write(`${connectedText(editor, connected, undefined)}\n`);
    return;
  }
  await report(host, editor, connected, given.json === true, repository);
}

function addressOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username !== '') {
    throw cliErrors.bad_arguments({
      message: `${url} is not the address of a server.`,
      next: 'As https://baton.example.com',
    });
  }
  return parsed.href.replace(/\/+$/, '').replace(/\/mcp$/, '');
}

async function keyFor(file: string | undefined, host: Host): Promise<string> {
  if (file !== undefined) {
    const text = await readFile(file, 'utf8').catch((cause) => {
      throw cliErrors.file_unreadable({ message: `${file} cannot be read.`, cause });
    });
    return text.trim();
  }
  return host.settings.token ?? (await askSecret('Key of the agent on that server'));
}

async function report(
  host: Host,
  editor: Editor,
  connected: Connected,
  json: boolean,
  repository: Repository | undefined,
): Promise<void> {
  const entry = editor.format.read(connected.edits[0]?.after ?? '', editor.section);
  if (!entry) {
    throw connectErrors.config_unusable({
      message: `${connected.edits[0]?.touched.path} does not hold the entry.`,
    });
  }
  const missing = entry.command === 'baton' && (await programAt('baton', placesHere())) === undefined;
  const started = missing
    ? { ...mcpEntry(await launchHere(host.settings, placesHere()), ...entry.args.slice(1)) }
    : entry;
  const checked = await checkConnection(started, connected.record.project, repository?.root ?? process.cwd());
  const text = json
    ? visibleJson(JSON.stringify(reportOf(connected, checked)))
    : connectedText(editor, connected, checked);
  process.stdout.write(`${text}\n`);
  if (missing) {
    process.stderr.write(
      `${pc.yellow('!')} \`baton\` is not on your PATH, and files of the team start it by its name: npm install -g baton-ledger\n`,
    );
  }
}

function reportOf({ record, edits, written }: Connected, { tools }: Checked) {
  const { name, editor, actorId, project, keyId, repositories = [], hooks } = record;
  const files = [...new Set(edits.map(({ touched }) => touched.path))];
  return {
    connection: name,
    editor,
    project,
    actor_id: actorId,
    key_id: keyId,
    files,
    written,
    tools,
    ...(hooks && { repositories, hooks }),
  };
}

async function showPlan(host: Host, editor: Editor, options: ConnectOptions): Promise<void> {
  const repository = repositoryHere(host);
  const named = repository && projectFileAbove(repository.root, host.settings.dataDir)?.project;
  const project = await onThisMachine(host, (to) => projectOr(to, host, options.project ?? named));
  const { hooks, prompts, ...rest } = options;
  const edits = await planConnection(host, {
    editor,
    project,
    repository,
    ...choices(rest),
    ...(hooks === false && { hooks }),
    ...(prompts === false && { prompts }),
  });
  process.stdout.write(diffText(edits));
}

async function printBlock(given: Host, editor: Editor, options: ConnectOptions): Promise<void> {
  const host = await requirePerson(given);
  const record = await withConnectionsLock(host.settings.dataDir, () =>
    onThisMachine(host, async (to) => {
      const project = await projectOr(to, host, options.project);
      if (options.project !== undefined) await ensureProject(to, host, project);
      const opened = await openConnection(to, host, editor, project);
      await writeConnection(host.settings.dataDir, opened);
      return opened;
    }),
  );
  const entry = mcpEntry(await launchHere(host.settings, placesHere()), '--as', record.name);
  process.stdout.write(editor.format.put('', editor.section, editor.members(entry)));
}

/** Which clients there are, where each is configured, and which connections this data directory holds. */
async function printEditors(host: Host, json: boolean): Promise<void> {
  const places = placesHere();
  const connections = (await listConnections(host.settings.dataDir)).map(
    ({ name, editor, actorId, project, keyId, files, repositories = [] }) => ({
      connection: name,
      editor,
      project,
      actor_id: actorId,
      key_id: keyId,
      repositories,
      files: files.map(({ path }) => path),
    }),
  );
  const known = editors.map((editor) => ({
    editor: editor.name,
    title: editor.title,
    project_file: editor.projectFiles?.[0] ?? null,
    user_file: editor.userFile(places),
    hooks: editor.hooks ? (editor.hooks.local ?? editor.hooks.userFile(places)) : null,
  }));
  if (json) {
    process.stdout.write(`${visibleJson(JSON.stringify({ editors: known, connections }))}\n`);
    return;
  }
  const rows = connections.map(({ files, repositories, ...rest }) => ({
    ...rest,
    repositories: repositories.join(', '),
    files: files.length,
  }));
  process.stdout.write(
    `${table(known)}\n\n${rows.length === 0 ? pc.dim('No connections yet: create one with `baton connect CLIENT`.') : table(rows)}\n`,
  );
}
