import { contextProvenance } from '../../context/provenance.ts';
import { deliveryProvenance } from '../../delivery/provenance.ts';
import { bind } from '../../dispatch/registry.ts';
import { governanceProvenance } from '../../governance/provenance.ts';
import { identityProvenance } from '../../identity/provenance.ts';
import { inboxProvenance } from '../../inbox/provenance.ts';
import { memoryProvenance } from '../../memory/provenance.ts';
import { relayProvenance } from '../../relay/provenance.ts';
import { createWhy } from '../../why/handlers.ts';
import { whyMigrations } from '../../why/migrations.ts';
import { whyOperations } from '../../why/operations.ts';
import type { Slice } from '../slice.ts';

/** In every round of upkeep: what people do is followed at once, a bulk import over some minutes or at the first question. */
const PAGES_PER_ROUND = 1;

/** From any action back to its causes. */
export const whySlice: Slice = {
  migrations: whyMigrations,
  compose({ db, feed, tree, hasher, identity }) {
    const why = createWhy({
      db,
      feed,
      tree,
      hasher,
      record: identity.record,
      provenances: [
        contextProvenance,
        governanceProvenance,
        inboxProvenance,
        memoryProvenance,
        deliveryProvenance,
        relayProvenance,
        identityProvenance,
      ],
    });
    return {
      operations: bind(whyOperations, why.handlers),
      upkeep: () => why.follower.catchUp(PAGES_PER_ROUND),
    };
  },
};
