import type { Hasher } from '../../../kernel/hasher.ts';
import { canonicalAgentic } from '../../../kernel/json/canonical/agentic.ts';
import { jsonPointer } from '../../../kernel/json/pointer.ts';
import { utf8Length } from '../../../kernel/json/utf8.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json/value.ts';
import { contextErrors } from '../errors.ts';
import type { Package } from '../schema.ts';
import type { Links } from './link-store.ts';
import type { Standing } from './stored-package.ts';

/** The longest id that both engines can index. */
const LONGEST_ID_BYTES = 1024;

/** Each entry becomes a row in the commit that others wait for. */
const LINKED = ['open_questions', 'x-parents', 'x-refs', 'x-resolves'] as const;
const MOST_LINKS = 2_000;

/** Checks what a schema cannot: how the members fit together, and with the path. */
export function checkPackage(given: Package, projectId: string, importing = false): void {
  if (given.project_id !== projectId) {
    throw contextErrors.invalid_schema({
      message: `The package belongs to project ${given.project_id}, but the path names ${projectId}.`,
      pointer: '/project_id',
    });
  }
  requireShortId(given.package_id, '/package_id');
  for (const list of LINKED) {
    if ((given[list]?.length ?? 0) <= MOST_LINKS) continue;
    throw contextErrors.invalid_schema({
      message: `A package has at most ${MOST_LINKS} entries in ${list}.`,
      pointer: `/${list}`,
    });
  }
  for (const parent of parentsOf(given)) {
    requireShortId(parent, '/parent_package_id');
    if (parent === given.package_id) {
      throw contextErrors.invalid_schema({
        message: 'A package cannot be its own parent.',
        pointer: '/parent_package_id',
      });
    }
  }
  if (!importing && given.status === 'awaiting_review' && given.review_type === 'none') {
    throw contextErrors.invalid_schema({
      message: 'A package that awaits review must say who reviews it: human or agent.',
      pointer: '/review_type',
    });
  }
}

function requireShortId(id: string, pointer: string): void {
  if (utf8Length(id) <= LONGEST_ID_BYTES) return;
  throw contextErrors.invalid_schema({
    message: `An id has at most ${LONGEST_ID_BYTES} bytes.`,
    pointer,
  });
}

/** Questions are matched by their words, whatever their case and spacing. */
function questionHash(hasher: Hasher, question: string): string {
  return hasher.hex(question.trim().replaceAll(/\s+/g, ' ').toLowerCase());
}

/** What a package says about other packages, and asks. */
export function linksOf(hasher: Hasher, given: Package): Links {
  const questions = new Map((given.open_questions ?? []).map((text) => [questionHash(hasher, text), text]));
  return {
    parents: parentsOf(given),
    questions: [...questions].map(([hash, question]) => ({ hash, question })),
    resolves: (given['x-resolves'] ?? []).map((resolved) => ({
      packageId: resolved.package_id,
      questionHash: questionHash(hasher, resolved.question),
    })),
    refs: (given['x-refs'] ?? []).map((ref) => ({
      rel: ref.rel,
      targetProject: ref.project_id,
      targetId: ref.package_id,
      targetHash: ref.content_hash ?? null,
    })),
  };
}

/** The first parent is `parent_package_id`; a merge names the others in `x-parents`. */
function parentsOf(given: Package): readonly string[] {
  const named = [
    ...(given.parent_package_id ? [given.parent_package_id] : []),
    ...(given['x-parents'] ?? []),
  ];
  return [...new Set(named)];
}

/** `sha256:<hex>`, as in the hashes of deliverables. */
export type ContentHash = string;

/** The hash of the specification: over the whole package, including its lifecycle members. */
export function contentHash(hasher: Hasher, value: Json): ContentHash {
  return `sha256:${hasher.hex(canonicalAgentic(value))}`;
}

export interface PackageHashes {
  readonly content: ContentHash;
  /** Of the package without the two members that reviews change. */
  readonly body: ContentHash;
}

/** Both at once, because most of the work is writing the canonical form. */
export function packageHashes(hasher: Hasher, value: JsonObject): PackageHashes {
  const members = canonicalAgentic.members(value);
  const hash = (of: readonly string[]) => `sha256:${hasher.hex(`{${of.join(',')}}`)}`;
  return { content: hash(members), body: hash(members.filter((member) => !LIFECYCLE.test(member))) };
}

const LIFECYCLE = /^"(?:status|review_type)":/;

/** The package as it is now: as deposited, with today's lifecycle members. */
export function withStanding(value: JsonObject, standing: Standing): JsonObject {
  // Without a prototype, so that a member called `__proto__` stays a member.
  const moved: Record<string, Json> = Object.assign(Object.create(null), value);
  if ('status' in moved) moved.status = standing.status;
  if ('review_type' in moved) moved.review_type = standing.reviewType;
  return moved;
}

export interface SecretFinding {
  readonly kind: string;
  /** Its location; the secret itself is never repeated. */
  readonly pointer: string;
}

const PATTERNS = {
  private_key: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY-----/,
  aws_access_key: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  github_token: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})\b/,
  gitlab_token: /\bglpat-[A-Za-z0-9_-]{20,}\b/,
  slack_token: /\bxox[abeprs]-[A-Za-z0-9-]{10,}\b/,
  stripe_key: /\b[rs]k_live_[A-Za-z0-9]{16,}\b/,
  google_api_key: /\bAIza[0-9A-Za-z_-]{35}\b/,
  anthropic_key: /\bsk-ant-[A-Za-z0-9_-]{20,}\b/,
  openai_key: /\bsk-(?:proj-)?[A-Za-z0-9_-]{32,}\b/,
  npm_token: /\bnpm_[A-Za-z0-9]{36}\b/,
  baton_key: /\bbtn_[A-Za-z0-9_-]{24,}\b/,
  json_web_token: /\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{16,}/,
  url_password: /\b[a-z][a-z0-9+.-]{2,20}:\/\/[^\s/:@'"]{1,64}:[^\s/@'"]{3,256}@[A-Za-z0-9.-]/,
} satisfies Readonly<Record<string, RegExp>>;

/** One test over the whole text comes first, because nearly every package has none of these. */
const BY_PREFIX = new RegExp(
  Object.entries(PATTERNS)
    .filter(([kind]) => kind !== 'url_password')
    .map(([, { source }]) => `(?:${source})`)
    .join('|'),
);

/** Any word may begin a URL, so testing for one takes longer than all the other tests. */
function hasSecret(text: string): boolean {
  return BY_PREFIX.test(text) || (text.includes('://') && PATTERNS.url_password.test(text));
}

const MOST_SECRETS = 20;

/** Finds what looks like a credential. `text` is the document as written. */
export function findSecrets(text: string, value: Json): readonly SecretFinding[] {
  // An escape can hide a pattern from the raw text, so a text with escapes is always walked.
  if (!hasSecret(text) && !text.includes('\\')) return [];
  const found: SecretFinding[] = [];
  walk(value, [], found);
  return found;
}

function walk(value: Json, path: (string | number)[], found: SecretFinding[]): void {
  if (found.length >= MOST_SECRETS) return;
  if (typeof value === 'string') {
    if (!hasSecret(value)) return;
    const [kind] = Object.entries(PATTERNS).find(([, pattern]) => pattern.test(value)) ?? [];
    if (kind) found.push({ kind, pointer: jsonPointer(path) });
    return;
  }
  const items: Iterable<[string | number, Json]> = Array.isArray(value)
    ? value.entries()
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  for (const [step, item] of items) {
    path.push(step);
    walk(item, path, found);
    path.pop();
  }
}
