import type { Hasher } from './hasher.ts';
import { type CanonicalProfile, canonicalText } from './json/canonical/profile.ts';
import type { Json } from './json/value.ts';

/** A hash that knows which canonical form it is of, so that two profiles are never compared by mistake. */
export interface Digest {
  readonly profile: CanonicalProfile;
  readonly hex: string;
}

export function digestOf(hasher: Hasher, profile: CanonicalProfile, value: Json): Digest {
  return { profile, hex: hasher.hex(canonicalText(profile, value)) };
}

/** How our own documents write a digest: `jcs-sha256:<hex>`. */
export function formatDigest(digest: Digest): string {
  return `${digest.profile}-sha256:${digest.hex}`;
}

export function parseDigest(text: string): Digest | undefined {
  const match = /^(agentic|appendix-b|jcs)-sha256:([0-9a-f]{64})$/.exec(text);
  return match === null ? undefined : { profile: match[1] as CanonicalProfile, hex: match[2] as string };
}
