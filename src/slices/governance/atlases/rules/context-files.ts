import { isRecord } from '../../../../kernel/json/loose.ts';
import { utf8Length } from '../../../../kernel/json/utf8.ts';
import type { AtlasManifest } from '../schema.ts';

/** Why a path is not allowed in an Atlas; undefined if it is. */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.includes('\\')) return 'has a backslash';
  if (path.includes('\0')) return 'has a NUL character';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is absolute';
  const parts = path.split('/');
  if (parts.includes('..')) return 'leaves the Atlas';
  if (parts.includes('.') || parts.includes('')) return 'is not in its shortest form';
  return undefined;
}

/** `low.md` is looked for where the manifest says, and below `context/` where the documents live. */
export function filePaths(file: string): string[] {
  return file.startsWith('context/') ? [file] : [file, `context/${file}`];
}

export function contentTypeOf(path: string): 'text/markdown' | 'text/plain' | 'application/json' {
  const name = path.toLowerCase();
  if (name.endsWith('.md') || name.endsWith('.markdown')) return 'text/markdown';
  return name.endsWith('.json') ? 'application/json' : 'text/plain';
}

export const LARGEST_FILE = 1024 * 1024;

/** Where a single manifest carries its context files: `metadata` is open, so the manifest stays valid. */
const FILES_MEMBER = 'context_files';

export interface WithFiles {
  readonly manifest: AtlasManifest;
  readonly files: ReadonlyMap<string, string>;
  /** Pointer of a file that is not allowed, and why. */
  readonly problem?: { readonly pointer: string; readonly message: string };
}

/** Moves the files out of the metadata, which leaves the manifest as it is in a directory. */
export function takeInlineFiles(manifest: AtlasManifest): WithFiles {
  const carried = manifest.metadata?.[FILES_MEMBER];
  if (!isRecord(carried)) return { manifest, files: new Map() };
  const files = new Map<string, string>();
  for (const [path, content] of Object.entries(carried)) {
    const pointer = `/metadata/${FILES_MEMBER}/${path.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const fault =
      pathProblem(path) ??
      (typeof content !== 'string'
        ? 'is not text'
        : utf8Length(content) > LARGEST_FILE
          ? 'is larger than 1 MiB'
          : undefined);
    if (fault) return { manifest, files, problem: { pointer, message: `The file ${fault}.` } };
    files.set(path, content as string);
  }
  const { [FILES_MEMBER]: _, ...metadata } = manifest.metadata ?? {};
  const { metadata: __, ...rest } = manifest;
  return { manifest: Object.keys(metadata).length > 0 ? { ...rest, metadata } : rest, files };
}

export function withInlineFiles(manifest: AtlasManifest, files: ReadonlyMap<string, string>): AtlasManifest {
  if (files.size === 0) return manifest;
  return { ...manifest, metadata: { ...manifest.metadata, [FILES_MEMBER]: Object.fromEntries(files) } };
}
