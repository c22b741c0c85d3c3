import { formatMillis } from '../../../kernel/instant.ts';
import { asRecord, asString } from '../../../kernel/json/loose.ts';
import { fromPlain, toPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { isOwner } from '../../../spine/identity/access.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import { SYSTEM_ACTOR } from '../../../spine/identity/settings.ts';
import type { InboxEffect } from '../../../spine/inbox/effect.ts';
import type { InboxItem } from '../../../spine/inbox/item.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { memoryErrors } from '../errors.ts';
import { recordEvent } from '../events.ts';
import type { MemoryDeps } from '../ports.ts';
import { keepsProfile, ownsProfile } from '../profile-access.ts';
import { type Profile, selectProfile, selectProfileDocument } from '../profiles/store.ts';
import { sensitivityRules } from '../registry/categories.ts';
import { selectAgent } from '../registry/store.ts';
import { selectText } from '../text-store.ts';
import { approve } from './approve.ts';
import { declinedMarks, storedProposal } from './find.ts';
import { reviewFields } from './review-fields.ts';
import { moveProposal } from './rules.ts';
import { readEdits } from './shape.ts';
import { decline, type ProposalRow, resolveProposal, selectProposal } from './store.ts';

/** What the inbox does with a decision. Only the person who keeps the profile, or the server's owner, may decide. */
export function createProposalEffect(deps: MemoryDeps): InboxEffect {
  return {
    apply: 'rows',

    async refuses(reader, item, principal) {
      const found = await findSubject(reader, item);
      if (!found || keepsProfile(principal.actor, found.profile) || isOwner(principal)) return undefined;
      return memoryErrors.A2P002();
    },

    async run(uow, item, { decision, decidedBy, edits }) {
      const found = await findSubject(uow, item);
      if (!found) throw memoryErrors.A2P003({ message: 'The profile of this proposal is gone.' });
      const { row, profile } = found;
      if (decision === 'reject') return reject(uow, deps, profile, row, decidedBy);
      const read = edits === undefined ? {} : readEdits(toPlain(edits));
      return approve(uow, deps, profile, row, read, decidedBy);
    },

    async describe(reader, item, principal) {
      const found = await findSubject(reader, item);
      if (!found || !ownsProfile(principal, found.profile)) return undefined;
      return proposalDetails(reader, deps, found);
    },

    async expired(uow, item) {
      const found = await findSubject(uow, item);
      if (found?.row.status !== 'pending') return;
      const at = formatMillis(deps.clock.now());
      await closeProposal(uow, deps, found.profile, found.row, SYSTEM_ACTOR, {
        status: 'expired',
        at,
        by: null,
      });
    },
  };
}

interface Subject {
  readonly row: ProposalRow;
  readonly profile: Profile;
}

async function findSubject(reader: Reader, item: InboxItem): Promise<Subject | undefined> {
  const row = await selectProposal(reader, item.subject.id);
  const profile = row && (await selectProfile(reader, row.profile_did));
  return row && profile && { row, profile };
}

export async function reject(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  row: ProposalRow,
  by: Actor,
): Promise<void> {
  const now = deps.clock.now();
  moveProposal(row.status, row.expires_us, 'reject', now);
  const text = await selectText(uow, profile.did, row.proposal_id);
  const marks =
    text === undefined
      ? [row.fingerprint]
      : declinedMarks(deps, profile, storedProposal(row, text.body, now));
  for (const mark of new Set([row.fingerprint, ...marks])) await decline(uow, profile.did, mark, now);
  await closeProposal(uow, deps, profile, row, by, { status: 'rejected', at: formatMillis(now), by: by.id });
}

export async function closeProposal(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  { proposal_id: proposalId, agent_did: agentDid }: ProposalRow,
  actor: Actor,
  resolution: { readonly status: 'rejected' | 'expired'; readonly at: string; readonly by: string | null },
): Promise<void> {
  const { status } = resolution;
  await resolveProposal(uow, proposalId, { ...resolution, memoryId: null });
  await recordEvent(uow, deps, profile, {
    type: `memory.proposal_${status}`,
    actor,
    payload: { proposalId, agentDid, resolution: status },
    webhook: `proposal.${status}`,
    subject: { type: 'proposal', id: proposalId },
  });
}

/** About whom, by whom, what, and on what grounds, with everything that is stored: for those who keep the profile. */
export async function proposalDetails(
  reader: Reader,
  { clock }: MemoryDeps,
  { row, profile }: Subject,
): Promise<JsonObject> {
  const text = await selectText(reader, profile.did, row.proposal_id);
  const agent = await selectAgent(reader, row.agent_did);
  const proposal = storedProposal(row, text?.body, clock.now());
  const { identity } = await selectProfileDocument(reader, profile);
  return fromPlain({
    about: { did: profile.did, display_name: asString(asRecord(identity).displayName) },
    proposed_by: { did: row.agent_did, name: agent?.name ?? proposal.agentName },
    kind: proposal.kind,
    content: proposal.content,
    memory_type: proposal.type,
    category: proposal.category,
    confidence: proposal.confidence,
    target_memory_id: proposal.targetMemoryId,
    ...reviewFields(proposal, await sensitivityRules(reader, profile)),
    context: proposal.context,
    proposed_at: proposal.proposedAt,
    expires_at: proposal.expiresAt,
    edited_content: proposal.editedContent,
    edited_category: proposal.editedCategory,
    reason: proposal.reason,
    evidence: proposal.evidence.map(({ type, quote, timestamp, span }) => ({ type, quote, timestamp, span })),
  }) as JsonObject;
}
