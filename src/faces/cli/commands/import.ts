import { type Command, Option } from 'commander';
import { inline } from '../../../kernel/quoted.ts';
import { projectOrDefault } from '../connect/project-here.ts';
import { cliErrors } from '../errors.ts';
import type { Connection, Host } from '../host.ts';
import { addCounts, type Counts, countsInWords } from '../import-counts.ts';
import { type ExportedFolder, type ExportedItem, readExportedFolder } from '../import-folder.ts';
import { importPast, PAST_SOURCES, type PastSource, pastInWords } from '../import-past.ts';
import { type ForeignFormat, foreignFiles, isFolder } from '../import-sources.ts';
import { ask, withConnection } from '../operation.ts';
import { print } from '../output.ts';
import { progress } from '../progress.ts';

interface ImportOptions {
  readonly from: 'baton' | ForeignFormat;
  readonly project?: string;
  readonly folder?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const BATCH = 200;
/** In characters: a server takes twice as much at once. */
const BATCH_LENGTH = 4 * 1024 * 1024;

/** A folder of that name is meant by `./codex`. */
function isPastSource(source: string): source is PastSource {
  return (PAST_SOURCES as readonly string[]).includes(source);
}

export function addImportCommand(program: Command, host: Host): void {
  program
    .command('import')
    .description('Import an export or another tool’s data. Everything is checked before anything is written.')
    .argument('<source>', 'a folder, a file of JSON lines, or claude-code, codex, gemini, claude-mem, notes')
    .addOption(
      new Option('--from <format>', 'the tool that wrote the files')
        .choices(['baton', 'relay', 'server-memory', 'beads', 'markdown'])
        .default('baton'),
    )
    .option('--project <id>', 'the project for another tool’s data')
    .option('--folder <dir>', 'where the client keeps its transcripts')
    .option('--dry-run', 'check everything and write nothing')
    .option('--json', 'print JSON')
    .action(async (path: string, options: ImportOptions) => {
      await withConnection(host, async (connection) => {
        if (isPastSource(path)) {
          const counts = await importPast(connection, host, path, options);
          return print(counts, options.json, (said) => pastInWords(path, said, options.dryRun === true));
        }
        const { from, project } = options;
        const content =
          from === 'baton'
            ? await exportedFolder(path)
            : await converted(connection, host, path, { from, project });
        const taken = await send(connection, host, content, options);
        print(taken, options.json, inWords);
      });
    });
}

async function exportedFolder(path: string): Promise<ExportedFolder> {
  const content = (await isFolder(path)) ? await readExportedFolder(path) : undefined;
  if (content && content.projects.length + content.packages.length + content.facts.length > 0) return content;
  throw cliErrors.file_unreadable({
    message: `${path} is no folder that \`baton export\` wrote.`,
    next: 'Name the tool that wrote the files with --from: relay, server-memory, beads or markdown.',
  });
}

function inWords(taken: Counts): string {
  const { dry_run, unchanged, warnings } = taken as {
    dry_run?: true;
    unchanged?: number;
    warnings?: string[];
  };
  const words = countsInWords(taken);
  const known = unchanged ? ` (${unchanged} known before)` : '';
  const said = words ? `${dry_run ? 'Would import' : 'Imported'} ${words}${known}.` : `Nothing new${known}.`;
  return [said, ...(warnings ?? []).map((warning) => `  ${warning}`)].join('\n');
}

/** All batches are rehearsed first: what does not hold together is refused in whole. */
async function send(
  connection: Connection,
  host: Host,
  content: ExportedFolder,
  options: ImportOptions,
): Promise<Counts> {
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
    for (const some of inBatches<string | ExportedItem>(content[kind])) yield { [kind]: some };
  }
  for (const blob of content.blobs) yield { blobs: [blob] };
  for (const some of inBatches(content.embeddings)) yield { embeddings: some.flat() };
}

/** In their order; one that is larger than a batch goes alone. */
function* inBatches<T>(items: readonly T[]): Generator<T[]> {
  let batch: T[] = [];
  let length = 0;
  for (const item of items) {
    const own = JSON.stringify(item).length;
    if (batch.length === BATCH || (batch.length > 0 && length + own > BATCH_LENGTH)) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(item);
    length += own;
  }
  if (batch.length > 0) yield batch;
}

async function converted(
  connection: Connection,
  host: Host,
  path: string,
  { from, project: named }: { readonly from: ForeignFormat; readonly project?: string | undefined },
): Promise<ExportedFolder> {
  const project = await projectOrDefault(connection, host, named);
  const made = { packages: [] as string[], facts: [] as string[], sessions: [] as string[] };
  const files = await foreignFiles(path, from);
  const total = files.reduce((sum, { records }) => sum + records.length, 0);
  const bar = await progress(`Reading ${path}`);
  let done = 0;
  for (const { file, records } of files) {
    for (const lines of inBatches(records)) {
      const part: typeof made = await ask(connection, host, 'transfer.convert', {
        format: from,
        project,
        file,
        lines,
      });
      made.packages.push(...part.packages);
      made.facts.push(...part.facts);
      made.sessions.push(...part.sessions);
      done += lines.length;
      bar.step(done, total, inline(file));
    }
  }
  bar.done();
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
