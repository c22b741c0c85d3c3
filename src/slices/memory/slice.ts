import { createSignatures } from './a2p/authenticate.ts';
import { createConsent } from './consent/access.ts';
import { createReceipts } from './consent/receipts.ts';
import { createMerges } from './consolidation/merge.ts';
import { createPromotion } from './consolidation/promote.ts';
import { createErasure } from './erasure/erase.ts';
import { createTell } from './event-recorder.ts';
import { createMemories } from './memories/keep.ts';
import { createReading } from './memories/read.ts';
import type { MemoryDeps } from './ports.ts';
import { createProfiles } from './profiles/create.ts';
import { createApprove, proposalEffect } from './proposals/approve.ts';
import { createProposals, PROPOSAL_KIND } from './proposals/propose.ts';
import { createRates } from './rates.ts';
import { createKeys } from './registry/keys.ts';
import { createTransfer } from './transfer/import.ts';
import { createWebhooks } from './webhooks/deliver.ts';

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
