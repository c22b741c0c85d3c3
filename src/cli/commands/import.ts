import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { Connection, Host } from '../host.ts';
import { addCounts, type Counts } from '../import-counts.ts';
import { type ExportedFolder, linesOf, markdownIn, readExportedFolder } from '../import-folder.ts';
import { ask, type Body, printBody } from '../operation.ts';
import { progress } from '../progress.ts';

interface ImportOptions {
  readonly from: 'baton' | 'relay' | 'server-memory' | 'beads' | 'markdown';
  readonly project?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const BATCH = 200;

export function addImportCommand(program: Command, host: Host): void {
  program
    .command('import')
    .description(
      'Bring in an export, or what another tool has kept. Everything is checked before anything is written.',
    )
    .argument('<path>', 'a folder, or a file of JSON lines')
    .addOption(
      new Option('--from <format>', 'whose files they are')
        .choices(['baton', 'relay', 'server-memory', 'beads', 'markdown'])
        .default('baton'),
    )
    .option('--project <id>', 'the project for what another tool has kept')
    .option('--dry-run', 'check everything and write nothing')
    .option('--json', 'print JSON')
    .action(async (path: string, options: ImportOptions) => {
      const connection = await host.connect(host.settings);
      try {
        const content =
          options.from === 'baton'
            ? await readExportedFolder(path)
            : await converted(connection, host, path, options);
        printBody(JSON.stringify(await send(connection, host, content, options)), options.json === true);
      } finally {
        await connection.close();
      }
    });
}

/** All batches are rehearsed first: what does not hold together is refused in whole. */
async function send(
  connection: Connection,
  host: Host,
  content: ExportedFolder,
  options: ImportOptions,
): Promise<Body> {
  const batches = [...batchesOf(content)];
  const bar = await progress('Importing');
  const rounds = options.dryRun ? [true] : [true, false];
  let done = 0;
  let total: Counts = {};
  // A rehearsal leaves no project behind for what belongs to it.
  const [first, ...rest] = batches;
  for (const dry_run of rounds) {
    total = {};
    for (const batch of first ? [first, ...rest] : []) {
      const rehearsal = dry_run ? { ...batch, projects: content.projects } : batch;
      total = addCounts(total, await ask(connection, host, 'transfer.import', { ...rehearsal, dry_run }));
      done += 1;
      bar.step(done, batches.length * rounds.length, dry_run ? 'checking' : 'writing');
    }
  }
  bar.done();
  return options.dryRun ? { dry_run: true, ...total } : total;
}

function* batchesOf(content: ExportedFolder): Generator<Record<string, unknown>> {
  yield { projects: content.projects };
  for (const kind of ['sessions', 'packages', 'tombstones', 'facts'] as const) {
    for (let at = 0; at < content[kind].length; at += BATCH)
      yield { [kind]: content[kind].slice(at, at + BATCH) };
  }
  for (const blob of content.blobs) yield { blobs: [blob] };
  for (let at = 0; at < content.embeddings.length; at += BATCH)
    yield { embeddings: content.embeddings.slice(at, at + BATCH).flat() };
}

async function converted(
  connection: Connection,
  host: Host,
  path: string,
  options: ImportOptions,
): Promise<ExportedFolder> {
  const project = options.project ?? (await ask(connection, host, 'identity.whoami', {})).default_project;
  const made = { packages: [] as string[], facts: [] as string[], sessions: [] as string[] };
  for (const { file, lines } of await sources(path, options.from)) {
    for (let at = 0; at < lines.length; at += BATCH) {
      const part: typeof made = await ask(connection, host, 'transfer.convert', {
        format: options.from,
        project,
        file,
        lines: lines.slice(at, at + BATCH),
      });
      made.packages.push(...part.packages);
      made.facts.push(...part.facts);
      made.sessions.push(...part.sessions);
    }
  }
  return {
    projects: [JSON.stringify({ project_id: project })],
    sessions: made.sessions,
    packages: made.packages.map((line) => ({ line })),
    tombstones: [],
    facts: made.facts,
    blobs: [],
    embeddings: [],
  };
}

async function sources(
  path: string,
  from: ImportOptions['from'],
): Promise<{ file: string; lines: unknown[] }[]> {
  if (from === 'markdown') return [{ file: 'notes', lines: await markdownIn(path) }];
  const parsed = async (file: string) => (await linesOf(file)).map((line) => JSON.parse(line) as unknown);
  if (!(await stat(path)).isDirectory()) return [{ file: 'packages', lines: await parsed(path) }];
  const found = [];
  for (const file of ['sessions', 'packages', 'facts', 'issues', 'memory']) {
    for (const extension of ['ndjson', 'jsonl']) {
      found.push({ file, lines: await parsed(join(path, `${file}.${extension}`)) });
    }
  }
  return found;
}
