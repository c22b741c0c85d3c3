import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Command } from 'commander';
import { inline } from '../../../kernel/quoted.ts';
import { makePrivateFolder, openPrivateFile, writePrivateFile } from '../../../platform/private-files.ts';
import { projectOrDefault } from '../connect/project-here.ts';
import type { Connection, Host } from '../host.ts';
import { countsInWords } from '../import-counts.ts';
import { ask, operationNamed, withConnection } from '../operation.ts';
import { print } from '../output.ts';
import { progress } from '../progress.ts';

const EXPORT_FORMAT = 'agentic-export/1';

interface Manifest {
  readonly format: string;
  readonly protocol_version: string;
  readonly project_id: string;
  readonly files: Readonly<Record<string, { readonly lines: number; readonly sha256: string }>>;
}

interface ExportOptions {
  readonly project?: string;
  readonly embeddings?: boolean;
  readonly json?: boolean;
}

export function addExportCommand(program: Command, host: Host): void {
  program
    .command('export')
    .description('Write a project to a folder of NDJSON files that any server of the protocol can read.')
    .argument('<folder>', 'the target folder; created if missing')
    .option('--project <id>', 'the project (default: this repository’s, else your default project)')
    .option('--embeddings', 'include the vectors of the search index, for a server with the same model')
    .option('--json', 'print JSON')
    .action(async (folder: string, options: ExportOptions) => {
      await withConnection(host, async (connection) => {
        const project = await projectOrDefault(connection, host, options.project);
        const files = filesOf(host).filter((file) => file !== 'embeddings' || options.embeddings);
        const manifest = await exportProject(connection, host, project, folder, files);
        print(manifest, options.json, (made) => inWords(made, folder));
      });
    });
}

/** The operation itself defines the files and the order in which they are read back. */
function filesOf(host: Host): readonly string[] {
  const { inputs } = operationNamed(host, 'transfer.export');
  return inputs.find(({ name }) => name === 'file')?.choices ?? [];
}

function inWords({ project_id, files }: Manifest, folder: string): string {
  const counts = Object.fromEntries(
    Object.entries(files).map(([name, { lines }]) => [name.replace('.ndjson', ''), lines]),
  );
  return `Exported ${project_id} to ${folder}: ${countsInWords({ ...counts, hashes: 0 }) ?? 'nothing in it yet'}.`;
}

async function exportProject(
  connection: Connection,
  host: Host,
  project: string,
  folder: string,
  wanted: readonly string[],
): Promise<Manifest> {
  makePrivateFolder(folder);
  const bar = await progress(`Exporting ${inline(project)}`);
  const files: Record<string, { lines: number; sha256: string }> = {};
  for (const [done, file] of wanted.entries()) {
    files[`${file}.ndjson`] = await writeLines(connection, host, project, file, folder);
    bar.step(done + 1, wanted.length, file);
  }
  bar.done();
  const manifest = { format: EXPORT_FORMAT, protocol_version: '0.1', project_id: project, files };
  // Last: a folder without it was interrupted.
  await writePrivateFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

async function writeLines(connection: Connection, host: Host, project: string, file: string, folder: string) {
  const out = await openPrivateFile(join(folder, `${file}.ndjson`));
  const hash = createHash('sha256');
  let lines = 0;
  try {
    let after: string | null = null;
    do {
      const page: { lines: string[]; next: string | null } = await ask(connection, host, 'transfer.export', {
        project_id: project,
        file,
        ...(after !== null && { after }),
      });
      const text = page.lines.map((line) => `${line}\n`).join('');
      hash.update(text);
      await out.write(text);
      lines += page.lines.length;
      after = page.next;
    } while (after !== null);
  } finally {
    await out.close();
  }
  return { lines, sha256: hash.digest('hex') };
}
