import { formatMillis } from '../../../kernel/instant.ts';
import { fromPlain, toPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { isOwner } from '../../../spine/identity/access.ts';
import { SYSTEM_ACTOR } from '../../../spine/identity/settings.ts';
import type { InboxEffect } from '../../../spine/inbox/effect.ts';
import type { InboxItem } from '../../../spine/inbox/item.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { memoryErrors } from '../errors.ts';
import type { MemoryDeps } from '../ports.ts';
import { keepsProfile, ownsProfile } from '../profile-access.ts';
import { type Profile, selectProfile } from '../profiles/store.ts';
import { approve } from './approve.ts';
import { showBatch } from './batch.ts';
import { type BatchDecision, readBatchDecisions } from './batch-decisions.ts';
import { closeProposal, proposalDetails, reject } from './inbox.ts';
import { knownBeside } from './known-beside.ts';
import { type ProposalRow, selectBatchRows } from './store.ts';

/** What the inbox does with a card of several proposals: all of them at once, or each as the edits say. */
export function createBatchEffect(deps: MemoryDeps): InboxEffect {
  return {
    apply: 'rows',

    async refuses(reader, item, principal) {
      const found = await findBatch(reader, item);
      if (!found || keepsProfile(principal.actor, found.profile) || isOwner(principal)) return undefined;
      return memoryErrors.A2P002();
    },

    async run(uow, item, { decision, decidedBy, edits }) {
      const found = await findBatch(uow, item);
      if (!found) throw memoryErrors.A2P003({ message: 'The proposals of this card are gone.' });
      const { rows, profile } = found;
      const waiting = rows.filter(({ expires_us }) => expires_us > deps.clock.now());
      const ids = waiting.map(({ proposal_id }) => proposal_id);
      const made = edits === undefined ? undefined : readBatchDecisions(toPlain(edits), ids);
      const atOnce: BatchDecision =
        decision === 'reject' ? { action: 'reject' } : { action: 'approve', edits: {} };
      for (const row of waiting) {
        const each = made === undefined ? atOnce : made.get(row.proposal_id);
        if (each?.action === 'reject') await reject(uow, deps, profile, row, decidedBy);
        if (each?.action === 'approve') await approve(uow, deps, profile, row, each.edits, decidedBy);
      }
      if (made === undefined || made.size === waiting.length) return;
      const { requestedBy, requestedFor } = item;
      await showBatch(uow, deps, profile, { batchId: item.subject.id, requestedBy, requestedFor });
    },

    async describe(reader, item, principal) {
      const found = await findBatch(reader, item);
      if (!found || !ownsProfile(principal, found.profile)) return undefined;
      return batchDetails(reader, deps, found);
    },

    async expired(uow, item) {
      const found = await findBatch(uow, item);
      const at = formatMillis(deps.clock.now());
      for (const row of found?.rows ?? []) {
        await closeProposal(uow, deps, found?.profile as Profile, row, SYSTEM_ACTOR, {
          status: 'expired',
          at,
          by: null,
        });
      }
    },
  };
}

interface Batch {
  readonly rows: readonly ProposalRow[];
  readonly profile: Profile;
}

/** With those of its proposals that nobody has decided. */
async function findBatch(reader: Reader, item: InboxItem): Promise<Batch | undefined> {
  const rows = await selectBatchRows(reader, item.subject.id);
  const [first] = rows;
  const profile = first && (await selectProfile(reader, first.profile_did));
  return profile && { rows: rows.filter(({ status }) => status === 'pending'), profile };
}

async function batchDetails(reader: Reader, deps: MemoryDeps, { rows, profile }: Batch): Promise<JsonObject> {
  const proposals: JsonObject[] = [];
  let heading: JsonObject = {};
  for (const row of rows) {
    const { about, proposed_by, ...details } = await proposalDetails(reader, deps, { row, profile });
    heading = { ...(about !== undefined && { about }), ...(proposed_by !== undefined && { proposed_by }) };
    const known = await knownBeside(reader, deps, profile, row);
    proposals.push({ proposal_id: row.proposal_id, ...details, known: fromPlain(known) });
  }
  return { ...heading, proposals };
}
