import { rm } from 'node:fs/promises';
import type { ConnectionRecord, Touched } from './connection-record.ts';
import type { Editor } from './editors.ts';
import { withInstructions, withoutInstructions } from './instructions.ts';
import type { ServerEntry } from './server-entry.ts';
import { readText, replaceText } from './text-file.ts';

/** One file as it is and as it shall be; `after` is undefined if it shall be gone. */
export interface FileEdit {
  readonly touched: Touched;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export async function planEntry(editor: Editor, path: string, entry: ServerEntry): Promise<FileEdit> {
  const before = await readText(path);
  const text = before ?? '';
  return {
    touched: {
      path,
      kind: 'entry',
      madeFile: before === undefined,
      madeSection: !editor.format.hasSection(text, editor.section),
    },
    before,
    after: editor.format.put(text, editor.section, editor.members(entry)),
  };
}

export async function planInstructions(path: string): Promise<FileEdit> {
  const before = await readText(path);
  return {
    touched: { path, kind: 'instructions', madeFile: before === undefined, madeSection: true },
    before,
    after: withInstructions(before ?? ''),
  };
}

/** Takes away what a connection wrote. An entry that another connection has written since is not ours to take. */
export async function planUndo(
  editor: Editor,
  connection: string,
  touched: Touched,
): Promise<FileEdit | undefined> {
  const before = await readText(touched.path);
  if (before === undefined) return undefined;
  const after =
    touched.kind === 'instructions'
      ? withoutInstructions(before)
      : isOurs(editor, before, connection)
        ? editor.format.take(before, editor.section, touched.madeSection)
        : before;
  const empty = touched.kind === 'instructions' ? after.trim() === '' : editor.format.isEmpty(after);
  return { touched, before, after: touched.madeFile && empty ? undefined : after };
}

/** Files that seem to hold the entry of a connection of which no record is left. */
export async function findEntries(
  editor: Editor,
  connection: string,
  paths: readonly string[],
): Promise<Touched[]> {
  const found: Touched[] = [];
  for (const path of paths) {
    const text = await readText(path);
    if (text !== undefined && isOurs(editor, text, connection)) {
      found.push({ path, kind: 'entry', madeFile: false, madeSection: false });
    }
  }
  return found;
}

export async function applyEdit({ touched, before, after }: FileEdit): Promise<boolean> {
  if (before === after) return false;
  if (after === undefined) await rm(touched.path);
  else await replaceText(touched.path, after);
  return true;
}

/** What was made at the first time stays known: a second run finds the file and the section there. */
export function remembered(record: ConnectionRecord | undefined, edits: readonly FileEdit[]): Touched[] {
  const files = new Map((record?.files ?? []).map((file) => [`${file.kind} ${file.path}`, file]));
  for (const { touched, before } of edits) {
    const id = `${touched.kind} ${touched.path}`;
    if (before === undefined || !files.has(id)) files.set(id, touched);
  }
  return [...files.values()];
}

function isOurs(editor: Editor, text: string, connection: string): boolean {
  return editor.format.read(text, editor.section)?.args.includes(connection) ?? false;
}

const CONTEXT = 2;

/** The lines that differ, with two around them; empty where nothing does. Edits here are one stretch of lines. */
export function lineDiff(before: string, after: string): string {
  if (before === after) return '';
  const [old, fresh] = [lines(before), lines(after)];
  let head = 0;
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (
    tail < Math.min(old.length, fresh.length) - head &&
    old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]
  ) {
    tail += 1;
  }
  return [
    ...old.slice(Math.max(0, head - CONTEXT), head).map((line) => `  ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+ ${line}`),
    ...old.slice(old.length - tail, old.length - tail + CONTEXT).map((line) => `  ${line}`),
  ].join('\n');
}

function lines(text: string): string[] {
  const split = text.split(/\r?\n/);
  if (split.at(-1) === '') split.pop();
  return split;
}
