import type { Hasher } from '../../kernel/hasher.ts';
import { canonicalJcs } from '../../kernel/json/canonical/jcs.ts';
import type { InboxItem } from './item.ts';

/** How many hex digits of the hash are kept: enough that two kinds of request never share a key by chance. */
const DIGITS = 40;

export interface Likeness extends Pick<InboxItem, 'kind' | 'projectId' | 'rule' | 'risk' | 'requestedFor'> {
  /** What else makes two requests alike, such as the actions; undefined where an item stands alone. */
  readonly alike: readonly string[] | undefined;
}

/**
 * The key that like requests share: the same kind, rule, risk and agent in one project, and whatever the kind adds. It says
 * nothing of what exactly is asked: that is the digest's, which each decision names by itself.
 */
export function likeKeyOf(
  hasher: Hasher,
  { kind, projectId, rule, risk, requestedFor, alike }: Likeness,
): string | null {
  if (alike === undefined) return null;
  const parts = [kind, projectId, rule, risk, requestedFor.id, ...alike];
  return `like_${hasher.hex(canonicalJcs(parts)).slice(0, DIGITS)}`;
}
