import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deliveryErrors } from '../errors.ts';
import { parseDocument } from '../parse.ts';
import { appendText, cut, flushDirectory, readFrom, repairTail, sizeOf, writeAtomically } from './files.ts';
import { FILES, within } from './paths.ts';

/** One change to a repository's files, complete enough for the next process to finish it. */
export interface Transaction {
  readonly id: string;
  readonly kind: string;
  readonly created_at: string;
  /** Text for append-only files, with their size before. */
  readonly appends: readonly { readonly file: string; readonly before: number; readonly text: string }[];
  readonly replaces: readonly { readonly file: string; readonly text: string }[];
  /** Files and directories to remove. */
  readonly removes: readonly string[];
}

export interface Writes {
  readonly kind: string;
  readonly appends: readonly { readonly file: string; readonly text: string }[];
  readonly replaces: readonly { readonly file: string; readonly text: string }[];
  readonly removes: readonly string[];
}

/** Called before each step with its name; a test throws there to simulate a power loss. */
export type Faults = (step: string) => void;

/** Writes the journal, then the files, then drops the journal: after a crash, `replayJournal` finishes the change. */
export async function commit(
  root: string,
  id: string,
  at: string,
  writes: Writes,
  faults: Faults,
): Promise<void> {
  const appends = [];
  for (const { file, text } of writes.appends.filter((append) => append.text !== '')) {
    const before = file.endsWith('.jsonl')
      ? await repairTail(within(root, file))
      : await sizeOf(within(root, file));
    appends.push({ file, text, before });
  }
  const transaction: Transaction = { ...writes, id, created_at: at, appends };
  const journal = within(root, `${FILES.journal}/${id}.json`);
  faults('journal');
  await writeAtomically(journal, JSON.stringify(transaction));
  await apply(root, transaction, faults);
  faults('drop-journal');
  await drop(journal);
  faults('done');
}

/** Finishes what a crash interrupted, each change once, and returns it. */
export async function replayJournal(root: string): Promise<readonly Transaction[]> {
  const directory = within(root, FILES.journal);
  const names = await readdir(directory).catch(() => []);
  const finished: Transaction[] = [];
  for (const name of names.sort()) {
    const file = join(directory, name);
    if (!name.endsWith('.json')) {
      // A journal that was never completed promised nothing.
      await rm(file, { force: true });
      continue;
    }
    const transaction = parseDocument(await readFile(file)) as Transaction;
    await apply(root, transaction, () => {});
    await drop(file);
    finished.push(transaction);
  }
  return finished;
}

async function apply(root: string, transaction: Transaction, faults: Faults): Promise<void> {
  for (const append of transaction.appends) {
    faults(`append:${append.file}`);
    await appendOnce(within(root, append.file), append.before, append.text);
  }
  for (const { file, text } of transaction.replaces) {
    faults(`replace:${file}`);
    await writeAtomically(within(root, file), text);
  }
  for (const path of transaction.removes) {
    faults(`remove:${path}`);
    await rm(within(root, path), { recursive: true, force: true });
  }
}

async function appendOnce(file: string, before: number, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  const size = await sizeOf(file);
  if (size < before)
    throw deliveryErrors.journal_conflict({ message: `${file} has ${size} bytes, there were ${before}.` });
  if (size === before) return appendText(file, text);
  const written = await readFrom(file, before, size - before);
  if (written.subarray(0, bytes.length).equals(bytes)) return;
  if (written.length < bytes.length && bytes.subarray(0, written.length).equals(written)) {
    await cut(file, before);
    return appendText(file, text);
  }
  return appendMissing(file, text);
}

/** Another program wrote here without the lock: keep its rows, and add only those of ours that are missing. */
async function appendMissing(file: string, text: string): Promise<void> {
  if (!file.endsWith('.jsonl')) {
    return (await readFile(file, 'utf8')).includes(text) ? undefined : appendText(file, text);
  }
  await repairTail(file);
  const present = new Set((await readFile(file, 'utf8')).split('\n'));
  const missing = text.split('\n').filter((line) => line !== '' && !present.has(line));
  if (missing.length > 0) await appendText(file, `${missing.join('\n')}\n`);
}

async function drop(journal: string): Promise<void> {
  await rm(journal, { force: true });
  await flushDirectory(join(journal, '..'));
}
