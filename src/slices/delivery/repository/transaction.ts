import { lstat, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { deliveryErrors } from '../errors.ts';
import { parseDocument } from '../parse.ts';
import {
  appendText,
  appendUnflushed,
  cut,
  flushAll,
  flushDirectory,
  ifMissing,
  readFrom,
  repairTail,
  replaceUnflushed,
  sizeOf,
  writeAtomically,
} from './files.ts';
import { replaceFile } from './keep.ts';
import { within } from './paths.ts';

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
  /** The commit that the branch moves to. */
  readonly merge?: Merge | undefined;
  /** The turn that it brings to an end. */
  readonly ends?: string | undefined;
}

/** Moving the branch, and the files that it has checked out, from one commit to the next. */
export interface Merge {
  readonly from: string;
  readonly to: string;
}

export interface Writes {
  readonly kind: string;
  readonly appends: readonly { readonly file: string; readonly text: string }[];
  readonly replaces: readonly { readonly file: string; readonly text: string }[];
  readonly removes: readonly string[];
  readonly merge?: Merge | undefined;
  readonly ends?: string | undefined;
}

/** Called before each step with its name; a test throws there to simulate a power loss. */
export type Faults = (step: string) => void;

/** Where a change is written: the repository, and what Baton keeps of it. */
export interface Places {
  readonly root: string;
  /** A root with the governed files as they were last written; nobody else writes there. */
  readonly copies: string;
  /** Not in the repository: whoever could write a journal there would have it carried out. */
  readonly journal: string;
  governs(path: string): boolean;
}

/** What a change does besides writing files, first and again after a crash. */
export type Effect = (transaction: Transaction) => Promise<void>;

const NO_EFFECT: Effect = async () => {};

/** Writes the journal, then the files, then drops the journal: after a crash, `replayJournal` finishes the change. */
export async function commit(
  places: Places,
  id: string,
  at: string,
  writes: Writes,
  faults: Faults,
  effect = NO_EFFECT,
): Promise<void> {
  const appends = [];
  for (const { file, text } of writes.appends.filter((append) => append.text !== '')) {
    // What was just compared with its copy may be changed by now: the copy is what it should be.
    const whole = within(places.governs(file) ? places.copies : places.root, file);
    const before = file.endsWith('.jsonl') ? await repairTail(whole) : await sizeOf(whole);
    appends.push({ file, text, before });
  }
  const transaction: Transaction = { ...writes, id, created_at: at, appends };
  const journal = join(places.journal, `${id}.json`);
  faults('journal');
  await writeAtomically(journal, JSON.stringify(transaction));
  await apply(places, transaction, faults, effect);
  faults('drop-journal');
  await drop(journal);
  faults('done');
}

/** What tells whether a change was under way between two looks; `unfinished` while one is, or was interrupted. */
export interface JournalMark {
  readonly unfinished: boolean;
  readonly stamp: string;
}

export async function markOf(journal: string): Promise<JournalMark> {
  const info = await stat(journal, { bigint: true }).catch(ifMissing(undefined));
  const names = info === undefined ? [] : await readdir(journal);
  return {
    unfinished: names.some((name) => name.endsWith('.json')),
    stamp: `${info?.mtimeNs} ${names.join()}`,
  };
}

/** Finishes what a crash interrupted, each change once, and returns it. */
export async function replayJournal(places: Places, effect = NO_EFFECT): Promise<readonly Transaction[]> {
  const names = await readdir(places.journal).catch(() => []);
  const finished: Transaction[] = [];
  for (const name of names.sort()) {
    const file = join(places.journal, name);
    if (!name.endsWith('.json')) {
      // A journal that was never completed promised nothing.
      await rm(file, { force: true });
      continue;
    }
    const transaction = parseDocument(await readFile(file)) as Transaction;
    await apply(places, transaction, () => {}, effect);
    await drop(file);
    finished.push(transaction);
  }
  return finished;
}

async function apply(
  places: Places,
  transaction: Transaction,
  faults: Faults,
  effect: Effect,
): Promise<void> {
  await effect(transaction);
  // The journal is on the disk: what it says may reach it in any order, as long as all has before the journal goes.
  const noted = new Set<string>();
  await Promise.all([
    ...transaction.appends
      .filter(({ file }) => places.governs(file))
      .map(({ file, before, text }) => appendOnce(within(places.copies, file), before, text, noted)),
    ...transaction.replaces
      .filter(({ file }) => places.governs(file))
      .map(({ file, text }) => replaceUnflushed(within(places.copies, file), text, noted)),
  ]);
  const { root } = places;
  for (const append of transaction.appends) {
    faults(`append:${append.file}`);
    const copy = places.governs(append.file) ? within(places.copies, append.file) : undefined;
    await appendOnce(within(root, append.file), append.before, append.text, noted, copy);
  }
  for (const { file, text } of transaction.replaces) {
    faults(`replace:${file}`);
    await replaceFile(within(root, file), Buffer.from(text), noted);
  }
  for (const path of transaction.removes) {
    faults(`remove:${path}`);
    await rm(within(root, path), { recursive: true, force: true });
  }
  await flushAll(noted);
}

/** `copy` has the text already: it replaces a file that has been cut or is no longer one. */
async function appendOnce(
  file: string,
  before: number,
  text: string,
  noted: Set<string>,
  copy?: string,
): Promise<void> {
  const bytes = Buffer.from(text);
  const info = await lstat(file).catch(ifMissing(undefined));
  const size = info?.size ?? 0;
  if (copy !== undefined && (size < before || info?.isFile() === false))
    return replaceFile(file, await readFile(copy), noted);
  if (size < before)
    throw deliveryErrors.journal_conflict({ message: `${file} has ${size} bytes, there were ${before}.` });
  if (size === before) return appendUnflushed(file, text, noted);
  const written = await readFrom(file, before, size - before);
  if (written.subarray(0, bytes.length).equals(bytes)) return;
  if (written.length < bytes.length && bytes.subarray(0, written.length).equals(written)) {
    await cut(file, before);
    return appendUnflushed(file, text, noted);
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
