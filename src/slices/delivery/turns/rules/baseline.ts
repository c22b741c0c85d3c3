import { asRecord, isRecord, isString, type LooseRecord } from '../../../../kernel/json/loose.ts';

/** A baseline as its reader needs it, from whichever runner wrote it. */
export interface KnownBaseline {
  readonly head: string | null;
  /** How paths were that had already changed: `sha256:<hex>`, or `deleted`. */
  readonly dirty: Readonly<Record<string, string>>;
  /** Content hashes of the documents that gates read; undefined for one that was not looked at. */
  readonly documents: Readonly<Record<string, string | null>>;
}

const DELETED = 'deleted';
const HEX = /^[0-9a-f]{64}$/;

export function markerOf(hash: string | null): string {
  return hash === null ? DELETED : `sha256:${hash}`;
}

/** Undefined where nothing was observed: without git, or without a baseline. */
export function readBaseline(raw: unknown): KnownBaseline | undefined {
  const baseline = asRecord(raw);
  if (baseline.kind !== 'git_worktree' && baseline.kind !== 'git') return undefined;
  const head = baseline.head_ref ?? baseline.head;
  return {
    head: isString(head) ? head.replace(/^git:/, '') : null,
    dirty: markers(baseline.dirty_snapshot ?? baseline.dirty),
    documents: documentsIn(raw),
  };
}

export function documentsIn(raw: unknown): KnownBaseline['documents'] {
  const entries = Object.entries(asRecord(asRecord(raw).documents));
  return Object.fromEntries(entries.map(([path, hash]) => [path, isString(hash) ? hash : null]));
}

/** How an accepted turn left the files that it changed. */
export function observedMarkers(raw: unknown): Readonly<Record<string, string>> {
  const observed = asRecord(raw);
  if (isRecord(observed.file_markers)) return markers(observed.file_markers);
  return Object.fromEntries(
    Object.entries(asRecord(observed.changed)).map(([path, hash]) => [
      path,
      markerOf(isString(hash) ? hash : null),
    ]),
  );
}

/** Earlier versions of ours wrote bare hashes. */
function markers(raw: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(asRecord(raw) as LooseRecord).filter((entry): entry is [string, string] =>
    isString(entry[1]),
  );
  return Object.fromEntries(entries.map(([path, text]) => [path, HEX.test(text) ? markerOf(text) : text]));
}
