import { formatDigest } from '../../../../kernel/digest.ts';
import type { Hasher } from '../../../../kernel/hasher.ts';
import { canonicalJcs } from '../../../../kernel/json/canonical/jcs.ts';
import { fromPlain } from '../../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../../kernel/json/value.ts';
import type { Evaluation, ResolutionDraft, Rulings } from './resolve.ts';

/**
 * Of the part of a resolution that follows from request and Atlases alone, so that a replay can be compared with the
 * original: approvals and quotas are left out.
 */
export function resolutionDigest(hasher: Hasher, draft: ResolutionDraft): string {
  // In the order of their names, as the members of one object.
  const members = [...rulingsInText(draft), ...membersOf({ context_blocks: blocksOf(draft) })].sort();
  return formatDigest({ profile: 'jcs', hex: hasher.hex(`{${members.join(',')}}`) });
}

/** By the list of evaluations: the lists of one ruling are made together and never changed. */
const texts = new WeakMap<readonly Evaluation[], readonly string[]>();

function rulingsInText(rulings: Rulings): readonly string[] {
  const known = texts.get(rulings.evaluations);
  if (known) return known;
  const members = membersOf({
    evaluations: rulings.evaluations.map(({ policy_id, action_id, result, effect }) => ({
      policy_id,
      action_id,
      verdict: effect === 'require_approval' ? effect : result,
    })),
    allowed_actions: rulings.allowed.map(({ action_id, rate_limit }) => ({
      action_id,
      ...(rate_limit && { rate_limit }),
    })),
    denied_actions: rulings.denied,
    constraints: rulings.constraints
      .filter(({ type }) => type !== 'require_approval')
      .map(({ constraint_id, type }) => ({ constraint_id, type })),
  });
  texts.set(rulings.evaluations, members);
  return members;
}

function blocksOf({ blocks }: ResolutionDraft) {
  return blocks.map(({ block_id, source, priority, content_type, content }) => ({
    block_id,
    source,
    priority,
    content_type,
    content,
  }));
}

const membersOf = (value: Record<string, unknown>) => canonicalJcs.members(fromPlain(value) as JsonObject);
