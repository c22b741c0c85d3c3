import { digestOf, formatDigest } from '../../../kernel/digest.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import type { Actor, Principal } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { Sensitivity } from '../categories.ts';
import { sanitizeText } from '../content.ts';
import { memoryErrors } from '../errors.ts';
import { recordEvent } from '../events.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Caller } from '../profile-access.ts';
import type { Profile } from '../profiles/store.ts';
import { putText, selectText } from '../text-store.ts';
import { showBatch } from './batch.ts';
import { noSuchProposal, requireProposal } from './find.ts';
import { moveProposal } from './rules.ts';
import { readEdits } from './shape.ts';
import { type ProposalRow, resolveProposal, selectProposal, setItem } from './store.ts';

export const PROPOSAL_KIND = 'memory_proposal';

export interface ReviewRequest {
  readonly requestedBy: Actor;
  readonly contentHash: string;
  /** Over everything that the agent said: context, evidence, scope and tags too. */
  readonly textHash: string;
  readonly sensitivity: Sensitivity;
}

/** Opens the inbox item in which the person decides on a pending proposal. */
export async function requestReview(
  uow: UnitOfWork,
  { hasher, inbox }: MemoryDeps,
  profile: Profile,
  row: ProposalRow,
  request: ReviewRequest,
): Promise<void> {
  const { requestedBy, contentHash, textHash, sensitivity } = request;
  const { proposal_id: id, type, category, kind, target_memory_id: target } = row;
  const shown = {
    proposal_id: id,
    content_hash: contentHash,
    memory_type: type,
    category,
    kind,
    target_memory_id: target,
    sensitivity,
    confidence: String(row.confidence),
    expires_at: row.expires_at,
    text_hash: textHash,
  };
  const item = await inbox.openItem(uow, {
    kind: PROPOSAL_KIND,
    projectId: profile.projectId,
    requestedBy,
    // By hand it is the person's own, who is to decide it.
    ...(row.agent_did !== profile.did && { requestedFor: { id: row.agent_did, type: 'agent' } }),
    deciders: [profile.ownerActor, ...(profile.settings.delegates ?? [])],
    ownerDecides: true,
    personal: true,
    subject: { type: 'memory_proposal', id },
    digest: formatDigest(digestOf(hasher, 'jcs', shown)),
    rule: 'memory-needs-approval',
    title: titleOf(row),
    risk: sensitivity === 'sensitive' || sensitivity === 'restricted' ? 'medium' : 'low',
    expires: row.expires_us,
    edits: kind === 'memory',
    alike: [kind],
  });
  await setItem(uow, id, item.itemId);
}

export interface Review {
  readonly action: 'approve' | 'reject';
  readonly edits?: Readonly<Record<string, unknown>>;
  readonly reason?: string | undefined;
}

/** The protocol's own way to decide: it goes through the same inbox as every other decision. */
export async function reviewProposal(
  uow: UnitOfWork,
  { clock, inbox }: MemoryDeps,
  profile: Profile,
  principal: Principal,
  proposalId: string,
  { action, edits: given = {}, reason }: Review,
): Promise<ProposalRow> {
  const row = await selectProposal(uow, proposalId);
  if (row?.profile_did !== profile.did) throw noSuchProposal();
  const edits = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const edited = action === 'approve' && Object.keys(edits).length > 0;
  moveProposal(row.status, row.expires_us, edited ? 'edit' : action, clock.now());
  if (edited) readEdits(edits);
  const item = row.item_id === null ? undefined : await inbox.get(uow, row.item_id);
  if (!item) throw memoryErrors.proposal_closed({ details: { status: row.status } });
  if (reason !== undefined) {
    const text = await selectText(uow, profile.did, proposalId);
    const body = { ...JSON.parse(text?.body ?? '{}'), reason: sanitizeText(reason) };
    if (text) await putText(uow, profile.did, { ...text, body: JSON.stringify(body) });
  }
  const asked = { itemId: item.itemId, digest: item.digest, principal };
  if (row.batch_id !== null) {
    const decisions = { [proposalId]: { action, ...edits } };
    await inbox.decide(uow, { ...asked, decision: 'approve_with_edits', edits: fromPlain({ decisions }) });
  } else {
    const decision = edited ? 'approve_with_edits' : action;
    await inbox.decide(uow, { ...asked, decision, ...(edited && { edits: fromPlain(edits) }) });
  }
  return (await selectProposal(uow, proposalId)) as ProposalRow;
}

export async function withdrawProposal(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  caller: Caller,
  proposalId: string,
): Promise<ProposalRow> {
  const row = await requireProposal(uow, profile, caller, proposalId);
  const now = deps.clock.now();
  const status = moveProposal(row.status, row.expires_us, 'withdraw', now);
  await resolveProposal(uow, proposalId, {
    status,
    at: formatMillis(now),
    by: caller.did,
    memoryId: null,
  });
  if (row.batch_id !== null) await showRest(uow, deps, profile, row);
  else if (row.item_id !== null)
    await deps.inbox.supersede(uow, { itemId: row.item_id, by: caller.actor, reason: 'withdrawn' });
  await recordEvent(uow, deps, profile, {
    type: 'memory.proposal_withdrawn',
    actor: caller.actor,
    payload: { proposalId, agentDid: row.agent_did },
  });
  return { ...row, status };
}

/** The card that a proposal was on, without it. */
export async function showRest(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  { batch_id: batchId, item_id: itemId }: ProposalRow,
): Promise<void> {
  const card = itemId === null ? undefined : await deps.inbox.get(uow, itemId);
  if (!card || batchId === null) return;
  const { requestedBy, requestedFor } = card;
  await showBatch(uow, deps, profile, { batchId, requestedBy, requestedFor });
}

/** Others read titles too: neither whose memory it is nor its category may be in one. */
function titleOf({ proposal_id: id, agent_did: by, kind, type }: ProposalRow): string {
  const change = kind === 'memory' ? 'to remember something' : `to make a memory ${type}`;
  return `${by} proposes ${change} (${id})`;
}
