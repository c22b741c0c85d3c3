import type { Actor } from '../../identity/principal.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import { canonicalJcs } from '../../kernel/json/canonical/jcs.ts';
import type { ContentHash } from './hashes.ts';
import type { Standing } from './lifecycle.ts';

/** One line of a package's review log, in wire form. Each names the one before it by hash. */
export interface ReviewEntry {
  readonly project_id: string;
  readonly package_id: string;
  /** From 1. */
  readonly seq: number;
  readonly from: Standing['status'];
  readonly to: Standing['status'];
  readonly review_type_before: Standing['reviewType'];
  readonly review_type_after: Standing['reviewType'];
  readonly actor: { readonly id: string; readonly type: Actor['type']; readonly session_id: string | null };
  readonly note: string | null;
  readonly at: string;
  /** Content hash before and after. */
  readonly prev_hash: ContentHash;
  readonly new_hash: ContentHash;
  readonly previous_entry_hash: string | null;
  readonly entry_hash: string;
}

export function sealEntry(hasher: Hasher, entry: Omit<ReviewEntry, 'entry_hash'>): ReviewEntry {
  return { ...entry, entry_hash: `sha256:${hasher.hex(canonicalJcs(entry as never))}` };
}

/** The first entry that does not follow from the one before it; undefined where the log is whole. */
export function brokenEntry(hasher: Hasher, entries: readonly ReviewEntry[]): ReviewEntry | undefined {
  let previous: ReviewEntry | undefined;
  for (const entry of entries) {
    const { entry_hash, ...rest } = entry;
    const follows =
      rest.seq === (previous?.seq ?? 0) + 1 &&
      rest.previous_entry_hash === (previous?.entry_hash ?? null) &&
      (previous === undefined || rest.prev_hash === previous.new_hash);
    if (!follows || sealEntry(hasher, rest).entry_hash !== entry_hash) return entry;
    previous = entry;
  }
  return undefined;
}
