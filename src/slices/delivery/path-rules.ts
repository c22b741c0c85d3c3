/** Which paths a turn may name, decided by their text alone. */

const RESERVED = ['state.json', 'history.jsonl', 'decision-ledger.jsonl', 'lock.json'].map(
  (name) => `.agentxchain/${name}`,
);

const DRIVE = /^[A-Za-z]:/;

/** The path with `.`, `..` and backslashes resolved; undefined if it leaves the repository. */
export function containedPath(path: string): string | undefined {
  if (path === '' || path.includes('\0')) return undefined;
  const slashed = path.replaceAll('\\', '/');
  if (slashed.startsWith('/')) return undefined;
  const segments: string[] = [];
  for (const segment of slashed.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  const contained = segments.join('/');
  return contained === '' || DRIVE.test(contained) ? undefined : contained;
}

/** Ignores case, as the file systems of macOS and Windows do. */
export function isReservedPath(path: string): boolean {
  const contained = containedPath(path)?.toLowerCase();
  return contained !== undefined && RESERVED.includes(contained);
}

export function isReviewablePath(path: string): boolean {
  const contained = containedPath(path);
  return (
    contained !== undefined &&
    (contained.startsWith('.planning/') || contained.startsWith('.agentxchain/reviews/'))
  );
}

export function isOrchestratorPath(path: string): boolean {
  const contained = containedPath(path);
  return contained !== undefined && (contained.startsWith('.agentxchain/') || contained === 'TALK.md');
}

/** Everything except planning and bookkeeping is the product. */
export function isProductPath(path: string): boolean {
  const contained = containedPath(path);
  return contained !== undefined && !contained.startsWith('.planning/') && !isOrchestratorPath(contained);
}

export function isTestPath(path: string): boolean {
  return /(^|\/)(tests?|__tests__|spec)\//.test(path) || /\.(test|spec)\.[a-z]+$/.test(path);
}

export const RESERVED_PATHS: readonly string[] = RESERVED;
