import {
  access,
  appendFile,
  type FileHandle,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import { deliveryErrors } from '../errors.ts';
import { parseDocument, tryParse } from '../parse.ts';

const NEWLINE = 0x0a;
const TAIL_BYTES = 256 * 1024;

/** The rows of a JSONL file. A last line without a newline is a torn write and never was a row. */
export async function readRows(file: string): Promise<readonly LooseRecord[]> {
  const text = await readText(file);
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const rows: LooseRecord[] = [];
  for (const [index, line] of whole.split('\n').entries()) {
    if (line.trim() === '') continue;
    rows.push(parseRow(file, line, index + 1));
  }
  return rows;
}

export async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(ifMissing(''));
}

/** For a file that need not be there: any error but its absence is thrown again. */
export function ifMissing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
}

export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

export async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    (info) => info.size,
    () => 0,
  );
}

export async function readFrom(file: string, start: number, length: number): Promise<Buffer> {
  return withFile(file, 'r', async (handle) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
    return buffer.subarray(0, bytesRead);
  });
}

async function withFile<T>(file: string, flags: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, flags);
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}

async function writeAndFlush(file: string, flags: string, data: string | Uint8Array): Promise<void> {
  await withFile(file, flags, async (handle) => {
    await handle.writeFile(data);
    await handle.sync();
  });
}

/** The last complete row, read from the end so that a long log costs no more than a short one. */
export async function lastRow(file: string): Promise<LooseRecord | undefined> {
  const size = await sizeOf(file);
  if (size === 0) return undefined;
  const length = Math.min(size, TAIL_BYTES);
  const tail = await readFrom(file, size - length, length);
  const line = tail
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
    .findLast((candidate) => candidate.trim() !== '');
  const row = line === undefined ? undefined : tryParse(line);
  return isRecord(row) ? row : undefined;
}

export function rowsText(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** Cuts off a torn last line and returns the remaining size. */
export async function repairTail(file: string): Promise<number> {
  const bytes = await readFile(file).catch(ifMissing(new Uint8Array()));
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  if (end < bytes.byteLength) await cut(file, end);
  return end;
}

export async function cut(file: string, size: number): Promise<void> {
  await withFile(file, 'r+', async (handle) => {
    await handle.truncate(size);
    await handle.sync();
  });
}

export async function appendText(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeAndFlush(file, 'a', text);
}

/** Appends without flushing: the file is noted, for `flushAll`. */
export async function appendUnflushed(file: string, text: string, noted: Set<string>): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, text);
  noted.add(file);
}

function parseRow(file: string, line: string, number: number): LooseRecord {
  try {
    const row = parseDocument(line);
    if (isRecord(row)) return row;
  } catch (cause) {
    throw deliveryErrors.state_corrupt({ message: `Line ${number} of ${file} is not JSON.`, cause });
  }
  throw deliveryErrors.state_corrupt({ message: `Line ${number} of ${file} is not a JSON object.` });
}

let counter = 0;

/** Leaves the old file or the new one, never a part: writes beside it, flushes, renames, flushes the directory. */
export async function writeAtomically(file: string, data: string | Uint8Array): Promise<void> {
  await replaceWhole(file, data);
  await flushDirectory(dirname(file));
}

/** Also never leaves a part; but after a power failure the old file may be back. */
export async function replaceWhole(file: string, data: string | Uint8Array): Promise<void> {
  await putBeside(file, (temporary) => writeAndFlush(temporary, 'w', data));
}

/** Replaces without flushing: the file is noted, for `flushAll`. Until then a power failure may leave a part. */
export async function replaceUnflushed(
  file: string,
  data: string | Uint8Array,
  noted: Set<string>,
): Promise<void> {
  await putBeside(file, (temporary) => writeFile(temporary, data));
  noted.add(file);
}

async function putBeside(file: string, write: (temporary: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  counter += 1;
  const temporary = `${file}.${process.pid}-${counter}.tmp`;
  try {
    await write(temporary);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Flushes files and their directories at the same time, which takes a disk about as long as flushing one. */
export async function flushAll(noted: Iterable<string>): Promise<void> {
  const files = [...noted];
  const flush = (file: string) =>
    withFile(file, 'r+', (handle) => handle.sync()).catch(ifMissing<void>(undefined));
  const directories = [...new Set(files.map((file) => dirname(file)))];
  await Promise.all([...files.map(flush), ...directories.map(flushDirectory)]);
}

export async function flushDirectory(directory: string): Promise<void> {
  // Windows cannot flush a directory; there the file system journals the rename.
  if (process.platform === 'win32') return;
  await withFile(directory, 'r', (handle) => handle.sync());
}
