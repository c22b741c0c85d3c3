import type { MemoryDeps } from '../ports.ts';
import { createConsent } from './consent.ts';
import { createErasure } from './erasure.ts';
import { createTell } from './events.ts';
import { createKeys } from './keys.ts';
import { createMemories } from './memories.ts';
import { createMerges } from './merges.ts';
import { createProfiles } from './profiles.ts';
import { createPromotion } from './promotion.ts';
import { createProposals, PROPOSAL_KIND } from './proposals.ts';
import { createRates } from './rates.ts';
import { createReading } from './reading.ts';
import { createReceipts } from './receipts.ts';
import { createApprove, proposalEffect } from './review.ts';
import { createSignatures } from './signatures.ts';
import { createTransfer } from './transfer.ts';
import { createWebhooks } from './webhooks.ts';

export type MemoryService = ReturnType<typeof createMemoryService>;

/** The parts of the slice, each over the ones before it. */
export function createMemoryService(deps: MemoryDeps) {
  const tell = createTell(deps);
  const memories = createMemories(deps, tell);
  const receipts = createReceipts(deps, tell);
  const rates = createRates(deps);
  const consent = createConsent(deps, { tell, receipts, rates });
  const profiles = createProfiles(deps, { tell, consent });
  const keys = createKeys(deps, { tell, profiles });
  const merges = createMerges(deps, { tell, memories });
  const approve = createApprove(deps, { tell, memories, merges });
  const proposals = createProposals(deps, { tell, memories, receipts, rates, approve });
  deps.inbox.register(PROPOSAL_KIND, proposalEffect(deps, { tell, approve }));
  return {
    deps,
    tell,
    memories,
    receipts,
    rates,
    keys,
    consent,
    profiles,
    merges,
    proposals,
    reading: createReading(deps, { memories, receipts, rates }),
    promotion: createPromotion({ memories, merges, proposals }),
    transfer: createTransfer(deps, { tell, memories, profiles, proposals, consent }),
    erase: createErasure(deps, { tell, memories, merges }),
    webhooks: createWebhooks(deps, tell),
    authenticate: createSignatures(deps, keys),
  };
}
