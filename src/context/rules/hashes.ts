import type { Hasher } from '../../kernel/hasher.ts';
import { canonicalAgentic } from '../../kernel/json/canonical/agentic.ts';
import type { Json, JsonObject } from '../../kernel/json/value.ts';
import type { Standing } from './lifecycle.ts';

/** `sha256:<hex>`, as deliverables spell theirs. */
export type ContentHash = string;

/** The hash of the specification: over the whole package, lifecycle members too. */
export function contentHash(hasher: Hasher, value: Json): ContentHash {
  return `sha256:${hasher.hex(canonicalAgentic(value))}`;
}

/** The hash of what never changes: the package without the two members that review moves. */
export function bodyHash(hasher: Hasher, value: JsonObject): ContentHash {
  return contentHash(hasher, withoutLifecycle(value));
}

/** The package as it is now: what was deposited, with the lifecycle members of today. */
export function withStanding(value: JsonObject, standing: Standing): JsonObject {
  return copied(value, (key, member) => {
    if (key === 'status') return standing.status;
    return key === 'review_type' ? standing.reviewType : member;
  });
}

function withoutLifecycle(value: JsonObject): JsonObject {
  return copied(value, (key, member) => (key === 'status' || key === 'review_type' ? undefined : member));
}

/** Without a prototype, so that a member called `__proto__` stays one. */
function copied(value: JsonObject, member: (key: string, member: Json) => Json | undefined): JsonObject {
  const copy: Record<string, Json> = Object.create(null);
  for (const key of Object.keys(value)) {
    const kept = member(key, value[key] as Json);
    if (kept !== undefined) copy[key] = kept;
  }
  return copy;
}
