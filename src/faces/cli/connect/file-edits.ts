import { lstat, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Touched } from './connection-record.ts';
import { patchBetween, withoutPatch } from './patch.ts';
import { readText, replaceText } from './text-file.ts';

/** One file as it is and as it shall be; `after` is undefined if it shall be gone. */
export interface FileEdit {
  readonly touched: Touched;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** How one kind of change is put into a text and taken out of it. */
export interface Form {
  put(text: string): string;
  /** The text as it is where nothing of ours is in it. */
  take(text: string, madeSection: boolean): string;
  /** Whether a text that was made for us holds nothing any more. */
  isEmpty(text: string): boolean;
  /** Whether what we put in needs a section that is not there yet. */
  needsSection?(text: string): boolean;
}

export type Target = Pick<Touched, 'path' | 'kind' | 'repository'>;

/**
 * Plans one change. What an earlier run put in is taken out first, so that what is remembered is always the way back to
 * the text without us; `before` is the text that an earlier edit of the same file in this run leaves.
 */
export async function planEdit(
  target: Target,
  form: Form,
  known: Touched | undefined,
  pending?: FileEdit,
): Promise<FileEdit> {
  const present = pending ? pending.after : await readText(target.path);
  const text = present ?? '';
  if (known && present !== undefined && form.put(text) === text) {
    return { touched: { ...known, ...target }, before: text, after: text };
  }
  const base = (known?.patch && clean(form, withoutPatch(text, known.patch))) ?? text;
  const after = form.put(base);
  // A text that already holds an older form of ours is no way back.
  const patch = form.take(base, false) === base ? patchBetween(base, after) : undefined;
  const fresh = known === undefined || present === undefined;
  return {
    touched: {
      ...target,
      madeFile: fresh ? present === undefined : known.madeFile,
      madeSection: fresh ? (form.needsSection?.(base) ?? false) : known.madeSection,
      madeFolders: fresh && !pending ? await missingFolders(target.path) : (known?.madeFolders ?? []),
      ...(patch && { patch }),
    },
    before: present,
    after,
  };
}

/** Plans the way back: to the byte where nobody changed what we wrote, else without what is ours. */
export async function planUndo(touched: Touched, form: Form, pending?: FileEdit): Promise<FileEdit> {
  const before = pending ? pending.after : await readText(touched.path);
  if (before === undefined) return { touched, before, after: undefined };
  const restored = touched.patch && clean(form, withoutPatch(before, touched.patch));
  const after = restored ?? form.take(before, touched.madeSection);
  return { touched, before, after: touched.madeFile && form.isEmpty(after) ? undefined : after };
}

/** A text that a patch was taken out of counts only if it can be read and holds nothing of ours. */
function clean(form: Form, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return form.take(text, false) === text ? text : undefined;
  } catch {
    return undefined;
  }
}

export async function applyEdit({ touched, before, after }: FileEdit): Promise<boolean> {
  if (after === undefined) {
    if (before !== undefined) await rm(touched.path);
    for (const folder of [...(touched.madeFolders ?? [])].reverse()) {
      // One that holds something else by now stays.
      await rmdir(folder).catch(() => undefined);
    }
    return before !== undefined;
  }
  if (before === after) return false;
  await replaceText(touched.path, after);
  return true;
}

/** The folders on the way to a file that are not there yet, the outermost first. */
export async function missingFolders(path: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = dirname(path); dirname(at) !== at; at = dirname(at)) {
    if (await lstat(at).catch(() => undefined)) break;
    missing.unshift(at);
  }
  return missing;
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
