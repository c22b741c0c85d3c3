import type { Hasher } from '../../../../kernel/hasher.ts';
import { spliceMembers } from '../../../../kernel/json/compact.ts';
import { type JsonDocument, readDocument } from '../../../../kernel/json/reader.ts';
import { isJsonObject } from '../../../../kernel/json/value.ts';
import { contentHash, packageHashes } from '../../packages/rules.ts';
import type { ReviewEntry } from '../../review/rules.ts';
import { type Package, packageSchema } from '../../schema.ts';
import type { ImportItem } from '../schema.ts';
import { MOST_LINE_VALUES, refused } from './line.ts';
import { checkEnds, readLog } from './review-log.ts';

/** A package from another store, checked against its hashes and its review log. */
export interface ImportedPackage {
  readonly view: Package;
  /** As it was deposited, before any review. */
  readonly deposited: JsonDocument;
  readonly depositHash: string;
  /** Null if it has not been reviewed. */
  readonly current: string | null;
  readonly contentHash: string;
  readonly bodyHash: string;
  readonly reviews: readonly ReviewEntry[];
  readonly warnings: readonly string[];
}

const MAX_DEPTH = 500;

export function readImportedPackage(hasher: Hasher, item: ImportItem): ImportedPackage {
  const document = readDocument(item.line, { maxDepth: MAX_DEPTH, maxValues: MOST_LINE_VALUES });
  if (!isJsonObject(document.value)) throw refused('A line is not a package.', {});
  const { view, warnings } = lenientView(document.plain as Record<string, unknown>);
  const packageId = view.package_id;
  const { content, body } = packageHashes(hasher, document.value);
  if (item.hashes && item.hashes.content_hash !== content) {
    throw refused(`The content hash of ${packageId} does not match.`, {
      package_id: packageId,
      computed: content,
    });
  }
  const reviews = readLog(hasher, item.reviews ?? [], packageId);
  const first = reviews[0];
  if (first && reviews.at(-1)?.to !== view.status) {
    throw refused(`The review log of ${packageId} does not lead to it.`, { package_id: packageId });
  }
  const deposited = first ? undone(document, first) : document;
  const depositHash = contentHash(hasher, deposited.value);
  checkEnds(reviews, { packageId, depositHash, contentHash: content });
  if (item.hashes?.deposit_hash !== undefined && item.hashes.deposit_hash !== depositHash) {
    throw refused(`The deposit hash of ${packageId} does not match.`, {
      package_id: packageId,
      computed: depositHash,
    });
  }
  if (item.hashes?.body_hash !== undefined && item.hashes.body_hash !== body) {
    throw refused(`The body hash of ${packageId} does not match.`, { package_id: packageId, computed: body });
  }
  return {
    view,
    deposited,
    depositHash,
    current: first ? spliceMembers(document, new Map()) : null,
    contentHash: content,
    bodyHash: body,
    reviews,
    warnings,
  };
}

/** The package as it was before its first review. */
function undone(document: JsonDocument, first: ReviewEntry): JsonDocument {
  const changes = new Map([
    ['status', JSON.stringify(first.from)],
    ['review_type', JSON.stringify(first.review_type_before)],
  ]);
  return readDocument(spliceMembers(document, changes), { maxDepth: MAX_DEPTH });
}

/** Imported content is never changed to fit: what a deposit would refuse is kept, with a warning. */
function lenientView(plain: Record<string, unknown>): { view: Package; warnings: string[] } {
  const strict = packageSchema.safeParse(plain);
  if (strict.success) return { view: strict.data, warnings: [] };
  const bare = { ...plain };
  const warnings: string[] = [];
  for (const issue of strict.error.issues) {
    const name = String(issue.path[0] ?? '');
    if (REQUIRED.has(name)) {
      throw refused(
        `${String(plain.package_id ?? 'A package')}: ${issue.message} at /${issue.path.join('/')}.`,
        {
          package_id: plain.package_id ?? null,
          pointer: `/${issue.path.join('/')}`,
        },
      );
    }
    delete bare[name];
    warnings.push(`${String(plain.package_id)}: ${name} ${issue.message}`);
  }
  return { view: packageSchema.parse(bare), warnings };
}

const REQUIRED = new Set([
  '',
  'package_id',
  'project_id',
  'relay_version',
  'title',
  'status',
  'package_type',
  'review_type',
  'created_at',
  'created_by',
]);
