import type { Micros } from '../../../kernel/clock.ts';
import { compactJson } from '../../../kernel/json/compact.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { Standing } from '../review/rules.ts';
import type { ContentHash } from './rules/hashes.ts';

export interface StoredPackage extends Standing {
  readonly projectId: string;
  readonly packageId: string;
  /** The bytes as deposited; null once redacted. */
  readonly original: string | null;
  /** The text with the lifecycle members of today; null while they are those of the deposit. */
  readonly current: string | null;
  readonly depositHash: ContentHash;
  readonly contentHash: ContentHash;
  readonly bodyHash: ContentHash;
  /** Entries in the review log. */
  readonly logSeq: number;
  readonly packageType: string;
  readonly title: string;
  readonly createdAt: string;
  readonly createdMicros: Micros;
  readonly author: Actor;
  readonly sessionId: string | null;
  /** With the default where the package does not say. */
  readonly significance: number;
  readonly handoff: boolean;
  readonly supersededBy: string | null;
  readonly quarantined: boolean;
  /** JSON text that stands in for a redacted package. */
  readonly tombstone: string | null;
}

/** As it is read from the store. */
export interface PlacedPackage extends StoredPackage {
  /** Order of arrival: breaks ties between packages of one instant. */
  readonly seq: number;
}

export interface PackageRow {
  readonly seq: number;
  readonly project_id: string;
  readonly package_id: string;
  readonly original: string | null;
  readonly current: string | null;
  readonly deposit_hash: string;
  readonly content_hash: string;
  readonly body_hash: string;
  readonly status: Standing['status'];
  readonly review_type: Standing['reviewType'];
  readonly log_seq: number;
  readonly package_type: string;
  readonly title: string;
  readonly created_at: string;
  readonly created_us: number;
  readonly author_id: string;
  readonly author_type: Actor['type'];
  readonly session_id: string | null;
  readonly significance: number;
  readonly handoff: number;
  readonly superseded_by: string | null;
  readonly quarantined: number;
  readonly tombstone: string | null;
}

export const PACKAGE_COLUMNS = `packages.seq, packages.project_id, packages.package_id, packages.original,
  packages.current, packages.deposit_hash, packages.content_hash, packages.body_hash, packages.status,
  packages.review_type, packages.log_seq, packages.package_type, packages.title, packages.created_at,
  packages.created_us, packages.author_id, packages.author_type, packages.session_id, packages.significance,
  packages.handoff, packages.superseded_by, packages.quarantined, packages.tombstone`;

export function packageOf(row: PackageRow): PlacedPackage {
  return {
    seq: row.seq,
    projectId: row.project_id,
    packageId: row.package_id,
    original: row.original,
    current: row.current,
    depositHash: row.deposit_hash,
    contentHash: row.content_hash,
    bodyHash: row.body_hash,
    status: row.status,
    reviewType: row.review_type,
    logSeq: row.log_seq,
    packageType: row.package_type,
    title: row.title,
    createdAt: row.created_at,
    createdMicros: row.created_us,
    author: { id: row.author_id, type: row.author_type },
    sessionId: row.session_id,
    significance: row.significance,
    handoff: row.handoff === 1,
    supersededBy: row.superseded_by,
    quarantined: row.quarantined === 1,
    tombstone: row.tombstone,
  };
}

/** The package as it is now, one line of JSON with every token as its author wrote it; a redacted one is its tombstone. */
export function packageText(stored: StoredPackage): string {
  if (stored.original === null) return stored.tombstone ?? '{}';
  return stored.current ?? compactJson(stored.original);
}
