import { mkdir, open, readFile } from 'node:fs/promises';
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
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** The last complete row, read from the end so that a long log costs no more than a short one. */
export async function lastRow(file: string): Promise<LooseRecord | undefined> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, TAIL_BYTES);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    const line = buffer
      .toString('utf8')
      .split('\n')
      .slice(0, -1)
      .findLast((candidate) => candidate.trim() !== '');
    const row = line === undefined ? undefined : tryParse(line);
    return isRecord(row) ? row : undefined;
  } finally {
    await handle.close();
  }
}

export function rowsText(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** Cuts off a torn last line and returns the remaining size. */
export async function repairTail(file: string): Promise<number> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(file, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  try {
    const { size } = await handle.stat();
    if (size === 0) return 0;
    const bytes = new Uint8Array(await handle.readFile());
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end < size) {
      await handle.truncate(end);
      await handle.sync();
    }
    return end;
  } finally {
    await handle.close();
  }
}

export async function appendText(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const handle = await open(file, 'a');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
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
