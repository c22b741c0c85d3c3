/** Why a path may not stand in an Atlas; undefined when it may. */
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
