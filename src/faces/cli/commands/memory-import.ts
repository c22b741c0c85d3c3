import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { asPerson } from '../agent-session.ts';
import { cliErrors } from '../errors.ts';
import type { Host } from '../host.ts';
import { markdownIn } from '../import-folder.ts';
import { ask, printBody, withConnection } from '../operation.ts';
import { progress } from '../progress.ts';
import { parentCommand } from './parent.ts';

interface MemoryImportOptions {
  readonly from: 'a2p' | 'mem0' | 'markdown';
  readonly profile?: string;
  readonly json?: boolean;
}

type Batch = Readonly<Record<string, unknown>>;

/** Memories become proposals in batches small enough not to hold up other writers. */
const AT_ONCE = 50;

export function addMemoryImportCommand(program: Command, host: Host): void {
  parentCommand(program, 'memory', 'What is known about a person, and with whose consent.')
    .command('import')
    .description('Import an a2p profile or another tool’s memories as proposals for you to approve.')
    .argument('<path>', 'a JSON file, or a folder for Markdown')
    .addOption(
      new Option('--from <format>', 'the format of the memories')
        .choices(['a2p', 'mem0', 'markdown'])
        .default('a2p'),
    )
    .option('--profile <did>', 'the profile for another tool’s memories (default: your own)')
    .option('--json', 'print JSON')
    .action(async (path: string, options: MemoryImportOptions) => {
      const batches = options.from === 'a2p' ? [] : await batchesOf(path, options.from);
      const by = await asPerson(host);
      return withConnection(by, async (connection) => {
        if (options.from === 'a2p') {
          const document = await readJsonFile(path);
          const made = await ask(connection, by, 'memory.profile.import', { document });
          return printBody(JSON.stringify(made), options.json === true);
        }
        const bar = await progress('Importing memories');
        const total = { proposed: 0, skipped: 0 };
        for (const [at, batch] of batches.entries()) {
          const { proposed, skipped } = await ask(connection, by, 'memory.import', {
            format: options.from,
            ...(options.profile !== undefined && { profile: options.profile }),
            ...batch,
          });
          total.proposed += proposed;
          total.skipped += skipped;
          bar.step(at + 1, batches.length, `${total.proposed} proposed`);
        }
        bar.done();
        printBody(JSON.stringify(total), options.json === true);
      });
    });
}

async function batchesOf(path: string, from: 'mem0' | 'markdown'): Promise<Batch[]> {
  if (from === 'mem0') {
    const exported = await readJsonFile(path);
    const list = memoriesIn(exported);
    // What is no list is for the server to refuse, in its words.
    return list === undefined ? [{ export: exported }] : chunks(list).map((some) => ({ export: some }));
  }
  const notes = await markdownIn(path).catch((cause) => {
    throw cliErrors.file_unreadable({ message: `${path} is no folder that can be read.`, cause });
  });
  return notes.map(({ path: name, text }) => ({ files: [{ name, text }] }));
}

function memoriesIn(exported: unknown): unknown[] | undefined {
  if (Array.isArray(exported)) return exported;
  const { results, memories } = (exported ?? {}) as { results?: unknown; memories?: unknown };
  return [results, memories].find((each) => Array.isArray(each));
}

function chunks<T>(list: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < list.length; at += AT_ONCE) parts.push(list.slice(at, at + AT_ONCE));
  return parts;
}

async function readJsonFile(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    const message = cause instanceof SyntaxError ? `${path} is not JSON.` : `${path} cannot be read.`;
    throw cliErrors.file_unreadable({ message, cause });
  }
}
