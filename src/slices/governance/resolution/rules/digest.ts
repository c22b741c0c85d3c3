import { digestOf, formatDigest } from '../../../../kernel/digest.ts';
import type { Hasher } from '../../../../kernel/hasher.ts';
import { fromPlain } from '../../../../kernel/json/plain.ts';
import type { ResolutionDraft } from './resolve.ts';

export function resolutionDigest(hasher: Hasher, draft: ResolutionDraft): string {
  return formatDigest(digestOf(hasher, 'jcs', fromPlain(normalisedDraft(draft))));
}

/**
 * The part of a resolution that follows from request and Atlases alone, so that a replay can be compared with the
 * original: approvals and quotas are left out.
 */
function normalisedDraft(draft: ResolutionDraft): Record<string, unknown> {
  return {
    evaluations: draft.evaluations.map(({ policy_id, action_id, result, effect }) => ({
      policy_id,
      action_id,
      verdict: effect === 'require_approval' ? effect : result,
    })),
    allowed_actions: draft.allowed.map(({ action_id, rate_limit }) => ({
      action_id,
      ...(rate_limit && { rate_limit }),
    })),
    denied_actions: draft.denied,
    constraints: draft.constraints
      .filter(({ type }) => type !== 'require_approval')
      .map(({ constraint_id, type }) => ({ constraint_id, type })),
    context_blocks: draft.blocks.map(({ block_id, source, priority, content_type, content }) => ({
      block_id,
      source,
      priority,
      content_type,
      content,
    })),
  };
}
