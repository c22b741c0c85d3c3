import type { Hasher } from '../../../../kernel/hasher.ts';
import { canonicalAgentic } from '../../../../kernel/json/canonical/agentic.ts';
import type { Json, JsonObject } from '../../../../kernel/json/value.ts';
import type { Standing } from '../stored-package.ts';

/** `sha256:<hex>`, as deliverables spell theirs. */
export type ContentHash = string;

/** The hash of the specification: over the whole package, lifecycle members too. */
export function contentHash(hasher: Hasher, value: Json): ContentHash {
  return `sha256:${hasher.hex(canonicalAgentic(value))}`;
}

export interface PackageHashes {
  readonly content: ContentHash;
  /** Of what never changes: the package without the two members that review moves. */
  readonly body: ContentHash;
}

/** Both at once, because writing the canonical form is most of the work. */
export function packageHashes(hasher: Hasher, value: JsonObject): PackageHashes {
  const members = canonicalAgentic.members(value);
  const hash = (of: readonly string[]) => `sha256:${hasher.hex(`{${of.join(',')}}`)}`;
  return { content: hash(members), body: hash(members.filter((member) => !LIFECYCLE.test(member))) };
}

const LIFECYCLE = /^"(?:status|review_type)":/;

/** The package as it is now: what was deposited, with the lifecycle members of today. */
export function withStanding(value: JsonObject, standing: Standing): JsonObject {
  // Without a prototype, so that a member called `__proto__` stays one.
  const moved: Record<string, Json> = Object.assign(Object.create(null), value);
  if ('status' in moved) moved.status = standing.status;
  if ('review_type' in moved) moved.review_type = standing.reviewType;
  return moved;
}
