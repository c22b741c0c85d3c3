import { agentsProvenance } from '../../slices/agents/provenance.ts';
import { contextProvenance } from '../../slices/context/provenance.ts';
import { deliveryProvenance } from '../../slices/delivery/provenance.ts';
import { governanceProvenance } from '../../slices/governance/provenance.ts';
import { memoryProvenance } from '../../slices/memory/provenance.ts';
import { relayProvenance } from '../../slices/relay/provenance.ts';
import { bind } from '../../spine/dispatch/registry.ts';
import { identityProvenance } from '../../spine/identity/provenance.ts';
import { inboxProvenance } from '../../spine/inbox/provenance.ts';
import { rowEvidence } from '../../spine/journal/state/row-evidence.ts';
import { createWhy } from '../../spine/why/handlers.ts';
import { whyMigrations } from '../../spine/why/migrations.ts';
import { whyOperations } from '../../spine/why/operations.ts';
import type { Slice } from '../slice.ts';

/** In every round of upkeep: what people do is followed at once, a bulk import over some minutes or at the first question. */
const PAGES_PER_ROUND = 1;

/** From any action back to its causes. */
export const whySlice: Slice = {
  migrations: whyMigrations,
  compose({ db, feed, tree, hasher, identity, state, sequencer, payloads }) {
    const why = createWhy({
      db,
      feed,
      tree,
      hasher,
      record: identity.record,
      evidence: rowEvidence({ db, sequencer, hasher, payloads, tables: state.tables }),
      provenances: [
        contextProvenance,
        governanceProvenance,
        inboxProvenance,
        memoryProvenance,
        deliveryProvenance,
        relayProvenance,
        agentsProvenance,
        identityProvenance,
      ],
    });
    return {
      operations: bind(whyOperations, why.handlers),
      upkeep: () => why.follower.catchUp(PAGES_PER_ROUND),
    };
  },
};
