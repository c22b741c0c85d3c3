import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { cliErrors } from '../errors.ts';
import type { Host } from '../host.ts';
import { ask, withConnection } from '../operation.ts';
import { parentCommand } from './parent.ts';
import type { VerbsFile } from './relay-gate-rules.ts';

/** What is said to agents or about them: the verbs that a repository can restrict. */
const GATED = new Set(['send', 'stream', 'tasks-get', 'tasks-cancel', 'view', 'replay']);
const FILE = join('.baton', 'verbs.json');
const SPOKEN = 'text';

const run = promisify(execFile);

/** Before an operator's verb runs inside a repository with a list of verbs: decided here, and in the journal either way. */
export function addRelayGate(program: Command, host: Host): void {
  parentCommand(program, 'relay', 'What agents say to each other.')
    .option('--acknowledge <sentence>', 'the sentence that the repository’s verb list requires')
    .hook('preAction', async (relay, command) => {
      if (!GATED.has(command.name())) return;
      const found = await findVerbs(process.cwd());
      if (!found) return;
      const { decideVerb } = await import('./relay-gate-rules.ts');
      const given = argumentsOf(command);
      const { acknowledge } = relay.opts<{ acknowledge?: string }>();
      const repository = await repositoryAt(found.folder);
      const request = { verb: command.name(), given, acknowledged: acknowledge };
      await settle(host, {
        verb: command.name(),
        ...decideVerb(found.verbs, request, repository),
        arguments: given,
        ...(repository && { commit: repository.commit }),
      });
    });
}

/** Throws if the verb is refused: once that is in the journal. */
async function settle(host: Host, input: Readonly<Record<string, unknown>>): Promise<void> {
  await withConnection(host, async (connection) => {
    await ask(connection, host, 'relay.gate', input);
  });
}

/** The nearest one, from here upwards. */
async function findVerbs(from: string): Promise<{ folder: string; verbs: VerbsFile } | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const text = await readFile(join(folder, FILE), 'utf8').catch(() => undefined);
    if (text !== undefined) return { folder, verbs: await readVerbs(join(folder, FILE), text) };
    if (dirname(folder) === folder) return undefined;
  }
}

async function readVerbs(path: string, text: string): Promise<VerbsFile> {
  const { verbsFileSchema } = await import('./relay-gate-rules.ts');
  try {
    return verbsFileSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw cliErrors.file_unreadable({
      message: `${path} is not a verb list.`,
      next: 'Write {"verbs": {"send": {"description": "…"}}}; see docs/relay.md.',
      cause,
    });
  }
}

function argumentsOf(command: Command): Record<string, string> {
  const names = command.registeredArguments.map((argument) => argument.name());
  const positional = names.map((name, at) => [name, command.args[at]] as const);
  const all = [...positional, ...Object.entries(command.opts<Record<string, unknown>>())];
  return Object.fromEntries(
    all.flatMap(([name, value]) => (typeof value === 'string' && name !== SPOKEN ? [[name, value]] : [])),
  );
}

async function repositoryAt(folder: string): Promise<{ dirty: boolean; commit: string } | undefined> {
  try {
    const commit = (await run('git', ['rev-parse', 'HEAD'], { cwd: folder })).stdout.trim();
    const status = await run('git', ['status', '--porcelain'], { cwd: folder });
    return { commit, dirty: status.stdout !== '' };
  } catch {
    return undefined;
  }
}
