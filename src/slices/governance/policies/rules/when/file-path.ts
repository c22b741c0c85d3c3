/**
 * Paths of files as rules see them: `src/./a/../b.ts` is `src/b.ts`, `C:\x` is `c:/x`. Nothing is looked up on a disk, so
 * that a decision can be replayed; a link inside a folder is the concern of whoever opens the file.
 */
import { globMatcher } from '../../../../../kernel/glob.ts';
import type { Outcome } from './outcome.ts';

export interface FilePath {
  /** The root: empty for a relative path, `/` or `c:/` or `//server/` for an absolute one. */
  readonly root: string;
  /** Without `.` and empty ones; `..` only at the beginning of a relative path, where it leaves the working folder. */
  readonly segments: readonly string[];
}

/**
 * What leads elsewhere: a home folder, a variable, a URL and what stands for its signs, a device, names of nothing but dots and
 * spaces, a short name of Windows.
 */
const ELSEWHERE =
  /^[~$]|^[a-z][a-z0-9+.-]+:\/|^[a-z]:(?!\/)|^\/\/[?.]\/|%(?:2e|2f|5c|00)|(?:^|\/)(?!\.{0,2}(?:\/|$))[. ]+(?:\/|$)|(?:^|\/)[^/~]{1,6}~\d+(?:\.[^/]{0,3})?(?:\/|$)/i;

/** Undefined for what is no path, or is another one to whoever opens it. */
export function parseFilePath(text: string, { backslashes = true } = {}): FilePath | undefined {
  if (text === '' || text.includes('\0')) return undefined;
  const normal = text.normalize('NFC');
  const slashed = backslashes ? normal.replaceAll('\\', '/') : normal;
  if (ELSEWHERE.test(slashed)) return undefined;
  const root = /^(?:[a-z]:\/|\/\/[^/]+\/|\/)/i.exec(slashed)?.[0].toLowerCase() ?? '';
  const segments: string[] = [];
  for (const segment of slashed.slice(root.length).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else if (root === '') segments.push('..');
  }
  return { root, segments };
}

/** Whether the path is one of the folders or lies below one. */
export function isWithin(path: FilePath, folder: FilePath, ignoreCase: boolean): Outcome {
  const begins = (at: number) =>
    folder.segments.every((segment, index) => equal(path.segments[at + index], segment, ignoreCase));
  if (path.root === folder.root) {
    if (escapes(path) && !escapes(folder)) return folder.root === '' ? 'unclear' : false;
    return begins(0);
  }
  if (path.root === '') return escapes(path) ? 'unclear' : false;
  if (folder.root !== '') return false;
  // Where the working folder is, is not known here: the absolute path may lie below it.
  if (folder.segments.length === 0) return 'unclear';
  return path.segments.some((_, at) => begins(at)) ? 'unclear' : false;
}

/**
 * Whether the path fits a glob over segments: `*` and `?` stay within one, `**` is any number of them. A glob without a slash
 * is about the last segment, wherever it is: `*.pem`, `.env`.
 */
export function fitsGlob(path: FilePath, glob: string, ignoreCase: boolean): Outcome {
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text).normalize('NFC');
  const names = path.segments.map(fold);
  if (!glob.includes('/')) {
    const last = names.at(-1);
    return last !== undefined && globMatcher(fold(glob))(last);
  }
  const root = /^(?:[a-z]:\/|\/)/i.exec(glob)?.[0].toLowerCase() ?? '';
  const parts = fold(glob.slice(root.length))
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  if (path.root === root) {
    if (root === '' && escapes(path)) return fits(['**', ...parts], names) ? 'unclear' : false;
    return fits(parts, names);
  }
  if (root !== '') return path.root === '' && escapes(path) ? 'unclear' : false;
  return fits(['**', ...parts], names) ? 'unclear' : false;
}

function escapes({ root, segments }: FilePath): boolean {
  return root === '' && segments[0] === '..';
}

function equal(a: string | undefined, b: string, ignoreCase: boolean): boolean {
  if (a === undefined) return false;
  return ignoreCase ? a.toLowerCase() === b.toLowerCase() : a === b;
}

/** Which beginnings of the path the parts so far fit; each part is looked at once for each segment. */
function fits(parts: readonly string[], names: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    if (part === '**') {
      for (let at = Math.min(...reached); at <= names.length; at += 1) next.add(at);
    } else {
      const matches = globMatcher(part);
      for (const at of reached) if (at < names.length && matches(names[at] as string)) next.add(at + 1);
    }
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(names.length);
}
