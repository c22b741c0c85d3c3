import { toHex } from '../../../kernel/hex.ts';
import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis, parseInstant } from '../../../kernel/instant.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { effectiveSensitivity, type Sensitivity } from '../categories.ts';
import { agentGrant } from '../consent/grants.ts';
import { logProposal } from '../consent/receipts.ts';
import { mayPropose } from '../consent/rules/grant.ts';
import { saltedHash } from '../content.ts';
import { invalid, memoryErrors } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { getMemory } from '../memories/keep.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Caller } from '../profile-access.ts';
import type { Profile } from '../profiles/store.ts';
import { takeOfPolicy } from '../rate-limits.ts';
import { requireCategory, sensitivityRules } from '../registry/categories.ts';
import { putText } from '../text-store.ts';
import { approve } from './approve.ts';
import { declinedMarks, fingerprintOf, wasDeclinedBefore } from './find.ts';
import { requestReview } from './review.ts';
import { expiryOf, mayAutoApprove } from './rules.ts';
import type { NewProposal } from './shape.ts';
import {
  countAutomatic,
  countProposals,
  forgetDeclined,
  insertProposal,
  type ProposalRow,
  resolveProposal,
  selectProposal,
  selectProposals,
} from './store.ts';

const HOUR = 3_600_000_000;
const PROPOSALS_PER_HOUR = 20;

export interface ProposeOptions {
  readonly requestId?: string;
  /** Left for the card of this batch, which the caller opens when all of it has been proposed. */
  readonly batchId?: string;
}

/**
 * Puts a proposal before its person, or approves it at once where their settings allow that. While it waits, the same
 * content from the same agent is the same proposal.
 */
export async function propose(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  caller: Caller,
  proposed: NewProposal,
  { requestId = '', batchId }: ProposeOptions = {},
): Promise<ProposalRow> {
  const { clock, random, hasher } = deps;
  const now = clock.now();
  await requireConsent(uow, deps, profile, caller, proposed, now);
  await requireCategory(uow, profile, proposed.category);
  const target = proposed.targetMemoryId;
  if (target !== undefined && caller.role === 'owner') await getMemory(uow, deps, profile, target);
  const fingerprint = fingerprintOf(deps, profile, proposed);
  const same = { agentDid: caller.did, fingerprint, now };
  const [waiting] = await selectProposals(uow, profile.did, { ...same, statuses: ['pending'] });
  if (waiting) return waiting;
  await requireNotDeclined(uow, deps, profile, caller, proposed);
  if (caller.role === 'agent') await requireRoom(uow, deps, profile, caller.did, now);
  await closeOverdue(uow, profile, same);
  const row = newRow(deps, profile, caller, proposed, { now, fingerprint, batchId });
  await insertProposal(uow, row);
  const salt = toHex(random.bytes(16));
  const { expiresAt: _, ...text } = proposed;
  const body = JSON.stringify(text);
  await putText(uow, profile.did, { ref: row.proposal_id, salt, body });
  const textHash = saltedHash(hasher, salt, body);
  const contentHash = saltedHash(hasher, salt, proposed.content);
  const requestedBy = requesterOf(caller);
  await recordEvent(uow, deps, profile, {
    type: 'memory.proposed',
    actor: requestedBy,
    payload: {
      proposalId: row.proposal_id,
      agentDid: caller.did,
      memory_type: row.type,
      content_hash: contentHash,
    },
    toPerson: { category: row.category },
    webhook: 'proposal.received',
    subject: { type: 'proposal', id: row.proposal_id },
  });
  const { category } = proposed;
  if (caller.role === 'agent') await logProposal(uow, deps, profile, caller, { requestId, category });
  if (batchId !== undefined) return row;
  const rules = await sensitivityRules(uow, profile);
  const sensitivity = effectiveSensitivity(proposed, rules);
  if (await isAutomatic(uow, profile, row, sensitivity))
    await approve(uow, deps, profile, row, {}, undefined);
  else await requestReview(uow, deps, profile, row, { requestedBy, contentHash, textHash, sensitivity });
  return (await selectProposal(uow, row.proposal_id)) as ProposalRow;
}

async function requireConsent(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  caller: Caller,
  { type, category }: NewProposal,
  now: number,
): Promise<void> {
  if (caller.role === 'owner') return;
  const { grant } = await agentGrant(uow, profile.did, caller.did, now);
  if (!mayPropose(grant, { type, category })) throw memoryErrors.A2P004();
  await takeOfPolicy(uow, deps, profile.did, caller.did, grant);
}

/** A person who proposes it after all takes back that they declined it: from then on agents may propose it too. */
async function requireNotDeclined(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  caller: Caller,
  proposed: NewProposal,
): Promise<void> {
  if (!(await wasDeclinedBefore(uow, deps, profile, proposed))) return;
  if (caller.role !== 'owner') throw memoryErrors.proposal_declined_before();
  for (const mark of declinedMarks(deps, profile, proposed)) await forgetDeclined(uow, profile.did, mark);
}

/** How many more proposals the agent may make now, and when the next one. */
export async function roomLeft(
  uow: UnitOfWork,
  { settings = {} }: MemoryDeps,
  profile: Profile,
  agentDid: string,
  now: number,
): Promise<{ readonly left: number; readonly first: number }> {
  const limit = settings.proposalsPerHour ?? PROPOSALS_PER_HOUR;
  const { made, first } = await countProposals(uow, profile.did, agentDid, now - HOUR);
  return { left: Math.max(0, limit - made), first };
}

async function requireRoom(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  agentDid: string,
  now: number,
): Promise<void> {
  const { left, first } = await roomLeft(uow, deps, profile, agentDid, now);
  if (left > 0) return;
  throw memoryErrors.A2P005({
    message: 'This agent has made too many proposals within an hour.',
    retryAfterSeconds: Math.ceil((first + HOUR - now) / 1_000_000),
  });
}

/** An expired proposal that no sweep has closed yet must not block a new one. */
async function closeOverdue(
  uow: UnitOfWork,
  profile: Profile,
  same: { readonly agentDid: string; readonly fingerprint: string; readonly now: number },
): Promise<void> {
  const [overdue] = await selectProposals(uow, profile.did, { ...same, statuses: ['expired'] });
  if (overdue?.status !== 'pending') return;
  const at = formatMillis(same.now);
  await resolveProposal(uow, overdue.proposal_id, { status: 'expired', at, by: null, memoryId: null });
}

async function isAutomatic(
  uow: UnitOfWork,
  profile: Profile,
  row: ProposalRow,
  sensitivity: Sensitivity,
): Promise<boolean> {
  const { autoApproval = {} } = profile.settings;
  if (row.kind !== 'memory' || autoApproval.enabled !== true) return false;
  return mayAutoApprove(autoApproval, {
    agentDid: row.agent_did,
    type: row.type,
    category: row.category ?? undefined,
    confidence: row.confidence,
    sensitivity,
    approvedToday: await countAutomatic(uow, profile.did, row.proposed_us - 24 * HOUR),
  });
}

function newRow(
  { random }: MemoryDeps,
  profile: Profile,
  caller: Caller,
  proposed: NewProposal,
  {
    now,
    fingerprint,
    batchId = null,
  }: { readonly now: number; readonly fingerprint: string; readonly batchId?: string | null | undefined },
): ProposalRow {
  const expires = expiryOf(now, readExpiry(proposed.expiresAt));
  return {
    proposal_id: prefixedId('prop', random),
    profile_did: profile.did,
    agent_did: caller.did,
    kind: proposed.kind,
    type: proposed.type,
    category: proposed.category ?? null,
    confidence: proposed.confidence,
    target_memory_id: proposed.targetMemoryId ?? null,
    status: 'pending',
    proposed_at: formatMillis(now),
    proposed_us: now,
    expires_at: formatMillis(expires),
    expires_us: expires,
    resolved_at: null,
    resolved_by: null,
    created_memory_id: null,
    fingerprint,
    item_id: null,
    batch_id: batchId,
    automatic: 0,
  };
}

function readExpiry(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (!instant) throw invalid('/expiresAt', 'This is not an RFC 3339 timestamp.');
  return instant.micros;
}

/**
 * A person who proposes to themselves with their own credential counts as an agent, so that they may still decide: they
 * could as well write the memory down. Whoever proposes to another, or speaks for an agent, is the one who asked.
 */
const BY_HAND: Actor = { id: 'did:a2p:agent:local:by-hand', type: 'agent' };

export function requesterOf({ role, actor }: Caller): Actor {
  return role === 'owner' ? BY_HAND : actor;
}
