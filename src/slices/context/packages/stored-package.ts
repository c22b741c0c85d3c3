import type { Micros } from '../../../kernel/clock.ts';
import { compactJson } from '../../../kernel/json/compact.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { SearchDocument, SearchField } from '../../../spine/search/document.ts';
import type { Package, packageStatuses, reviewTypes } from '../schema.ts';
import type { ContentHash, PackageHashes } from './rules.ts';

export type Status = (typeof packageStatuses)[number];
export type ReviewType = (typeof reviewTypes)[number];

/** The lifecycle of a package: all that changes after its deposit. */
export interface Standing {
  readonly status: Status;
  readonly reviewType: ReviewType;
}

export interface StoredPackage extends Standing {
  readonly projectId: string;
  readonly packageId: string;
  /** The bytes as deposited; null once redacted. */
  readonly original: string | null;
  /** The text with today's lifecycle members; null while they are those of the deposit. */
  readonly current: string | null;
  readonly depositHash: ContentHash;
  readonly contentHash: ContentHash;
  readonly bodyHash: ContentHash;
  /** The number of entries in the review log. */
  readonly logSeq: number;
  readonly packageType: string;
  readonly title: string;
  readonly createdAt: string;
  readonly createdMicros: Micros;
  readonly author: Actor;
  /** Whose credential deposited it in the author's name; null if it was the author's own, or it was imported. */
  readonly depositor: Actor | null;
  readonly sessionId: string | null;
  /** With the default if the package has none. */
  readonly significance: number;
  readonly handoff: boolean;
  readonly supersededBy: string | null;
  readonly quarantined: boolean;
  /** JSON text that replaces a redacted package. */
  readonly tombstone: string | null;
}

/** As it is read from the store. */
export interface PlacedPackage extends StoredPackage {
  /** Order of arrival: breaks ties between packages of the same instant. */
  readonly seq: number;
}

/** What is known of a package without its texts, and how many bytes those have. */
export interface PackageHead extends Omit<PlacedPackage, 'original' | 'current'> {
  readonly bytes: number;
}

/** A package as it is deposited, before anything is built on it or decided about it. */
export interface NewPackage extends StoredPackage {
  readonly original: string;
  readonly depositedMicros: Micros;
}

export const DEFAULT_SIGNIFICANCE = 5;

export function newPackage(
  view: Package,
  original: string,
  hashes: PackageHashes,
  createdMicros: Micros,
  depositedMicros: Micros,
  depositor: Actor | null = null,
): NewPackage {
  return {
    projectId: view.project_id,
    packageId: view.package_id,
    original,
    current: null,
    depositHash: hashes.content,
    contentHash: hashes.content,
    bodyHash: hashes.body,
    status: view.status,
    reviewType: view.review_type,
    packageType: view.package_type,
    title: view.title,
    createdAt: view.created_at,
    createdMicros,
    author: { id: view.created_by.id, type: view.created_by.type },
    depositor,
    sessionId: view.created_by.session_id ?? null,
    significance: view.significance ?? DEFAULT_SIGNIFICANCE,
    handoff: view.package_type === 'handoff' || Boolean(view.handoff_note),
    depositedMicros,
    logSeq: 0,
    supersededBy: null,
    quarantined: false,
    tombstone: null,
  };
}

/** The package as it is now: one line of JSON, every token as written. For a redacted one, its tombstone. */
export function packageText(stored: StoredPackage): string {
  if (stored.original === null) return stored.tombstone ?? '{}';
  return stored.current ?? compactJson(stored.original);
}

export const PACKAGES = 'package';

/** What search indexes of a package: each decision and each question is a passage of its own. */
export function packageDocument(given: Package, time: number): SearchDocument {
  const fields: SearchField[] = [{ name: 'title', text: given.title, weight: 2 }];
  const add = (name: string, text: string | null | undefined, weight?: number) => {
    if (text) fields.push({ name, text, ...(weight !== undefined && { weight }) });
  };
  add('description', given.description);
  for (const decision of given.decisions_made ?? []) add('decisions_made', decision);
  for (const question of given.open_questions ?? []) add('open_questions', question);
  add('handoff_note', given.handoff_note);
  add('content_md', given.content_md);
  add('tags', [given.topic, ...(given.tags ?? [])].filter(Boolean).join(' '));
  for (const deliverable of given.deliverables ?? []) add('deliverables', deliverable.path);
  return {
    projectId: given.project_id,
    collection: PACKAGES,
    id: given.package_id,
    fields,
    time,
    attributes: { package_type: given.package_type, author: given.created_by.id },
  };
}
