/** Files that another tool has kept, as records. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cliErrors } from './errors.ts';
import { linesOf, markdownIn } from './import-folder.ts';

export type ForeignFormat = 'relay' | 'server-memory' | 'beads' | 'markdown';

export interface ForeignFile {
  readonly file: string;
  readonly records: readonly unknown[];
}

/** What the tools call their files; a single file may have any name. */
const NAMES = ['sessions', 'packages', 'facts', 'issues', 'memory'];
const EXTENSIONS = ['ndjson', 'jsonl'];

export async function foreignFiles(path: string, from: ForeignFormat): Promise<ForeignFile[]> {
  const folder = await isFolder(path);
  const files = from === 'markdown' ? [await notes(path)] : await records(path, folder);
  if (files.some((file) => file.records.length > 0)) return files;
  const sought = folder ? `${NAMES.join(', ')} with the ending ${EXTENSIONS.join(' or ')}` : 'lines of JSON';
  throw cliErrors.file_unreadable({
    message: `There is nothing to import in ${path}.`,
    next:
      from === 'markdown' ? 'Name a folder with Markdown files, or one file.' : `It should hold ${sought}.`,
  });
}

/** Says so in our own words where there is nothing at this path. */
export async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((cause) => {
    throw cliErrors.file_unreadable({ message: `${path} does not exist.`, cause });
  });
  return found.isDirectory();
}

async function notes(path: string): Promise<ForeignFile> {
  return { file: 'notes', records: await markdownIn(path) };
}

async function records(path: string, folder: boolean): Promise<ForeignFile[]> {
  if (!folder) return [{ file: 'packages', records: await readRecords(path) }];
  const files: ForeignFile[] = [];
  for (const file of NAMES) {
    for (const extension of EXTENSIONS) {
      files.push({ file, records: await readRecords(join(path, `${file}.${extension}`)) });
    }
  }
  return files;
}

async function readRecords(path: string): Promise<unknown[]> {
  return (await linesOf(path)).map((line, at) => {
    try {
      return JSON.parse(line) as unknown;
    } catch (cause) {
      throw cliErrors.file_unreadable({
        message: `Line ${at + 1} of ${path} is not JSON.`,
        next: 'Fix the line, or name the tool that wrote the file with --from.',
        cause,
      });
    }
  });
}
