import { digestOf, formatDigest } from '../../../kernel/digest.ts';
import { toHex } from '../../../kernel/hex.ts';
import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis, parseInstant } from '../../../kernel/instant.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { Caller } from '../caller.ts';
import { defaultSensitivity } from '../categories.ts';
import { agentGrant } from '../consent/grants.ts';
import type { Receipts } from '../consent/receipts.ts';
import { mayPropose } from '../consent/rules/grant.ts';
import { memoryErrors } from '../errors.ts';
import type { Tell } from '../event-recorder.ts';
import { declinedFingerprint, saltedHash } from '../fingerprint.ts';
import type { Memories } from '../memories/keep.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import type { Rates } from '../rates.ts';
import type { Sensitivity } from '../sensitivity.ts';
import { putText, selectText, selectTexts } from '../text-store.ts';
import type { Approve } from './approve.ts';
import { mayAutoApprove } from './auto-approval.ts';
import { expiryOf, moveProposal, statusAt } from './rules.ts';
import type { Proposed, StoredProposal } from './shape.ts';
import {
  countAutomatic,
  countProposals,
  insertProposal,
  type ProposalFilter,
  type ProposalRow,
  resolveProposal,
  selectProposal,
  selectProposals,
  setItem,
  wasDeclined,
} from './store.ts';

export const PROPOSAL_KIND = 'memory_proposal';

const HOUR = 3_600_000_000;
const PROPOSALS_PER_HOUR = 20;

/** What is kept of a proposal's words, in the one table for texts. */
export interface ProposalText extends Omit<Proposed, 'expiresAt'> {
  readonly editedContent?: string;
  readonly editedCategory?: string;
  readonly reason?: string;
}

export type Proposals = ReturnType<typeof createProposals>;

export function createProposals(
  deps: MemoryDeps,
  parts: { tell: Tell; memories: Memories; receipts: Receipts; rates: Rates; approve: Approve },
) {
  const { clock, random, hasher, inbox, settings = {} } = deps;
  const { tell, memories, receipts, rates, approve } = parts;

  async function requireRoom(
    uow: UnitOfWork,
    profile: Profile,
    agentDid: string,
    now: number,
  ): Promise<void> {
    const limit = settings.proposalsPerHour ?? PROPOSALS_PER_HOUR;
    const { made, first } = await countProposals(uow, profile.did, agentDid, now - HOUR);
    if (made < limit) return;
    throw memoryErrors.A2P005({
      message: 'This agent has proposed too much within an hour.',
      retryAfterSeconds: Math.ceil((first + HOUR - now) / 1_000_000),
    });
  }

  async function insert(
    uow: UnitOfWork,
    profile: Profile,
    caller: Caller,
    proposed: Proposed,
    times: { readonly now: number; readonly fingerprint: string },
  ): Promise<ProposalRow> {
    const { now, fingerprint } = times;
    const expires = expiryOf(now, givenExpiry(proposed.expiresAt));
    const row: ProposalRow = {
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
      automatic: 0,
    };
    await insertProposal(uow, row);
    return row;
  }

  /** Puts a pending proposal before its person. */
  async function ask(
    uow: UnitOfWork,
    profile: Profile,
    row: ProposalRow,
    by: { readonly requestedBy: Actor; readonly contentHash: string; readonly sensitivity: Sensitivity },
  ): Promise<void> {
    const { requestedBy, contentHash, sensitivity } = by;
    const { proposal_id: id, type, category, kind, target_memory_id: target } = row;
    const shown = {
      proposal_id: id,
      content_hash: contentHash,
      memory_type: type,
      category,
      kind,
      target_memory_id: target,
    };
    const item = await inbox.openItem(uow, {
      kind: PROPOSAL_KIND,
      projectId: profile.projectId,
      requestedBy,
      subject: { type: 'memory_proposal', id },
      digest: formatDigest(digestOf(hasher, 'jcs', shown)),
      rule: 'memory-needs-approval',
      title: titleOf(row),
      risk: sensitivity === 'sensitive' || sensitivity === 'restricted' ? 'medium' : 'low',
      expires: row.expires_us,
      edits: kind === 'memory',
    });
    await setItem(uow, id, item.itemId);
  }

  function fingerprintOf(profile: Profile, { kind, content, targetMemoryId, type }: Proposed): string {
    const said = kind === 'memory' ? content : `${kind} ${targetMemoryId} ${type}`;
    return declinedFingerprint(hasher, profile.declinedKey, said);
  }

  return {
    ask,
    /** Whether its person has said yes or no to this before, or still has it in the inbox. */
    async wasAnswered(reader: Reader, profile: Profile, proposed: Proposed): Promise<boolean> {
      const fingerprint = fingerprintOf(profile, proposed);
      if (await wasDeclined(reader, profile.did, fingerprint)) return true;
      const [before] = await selectProposals(reader, profile.did, {
        fingerprint,
        statuses: ['pending', 'approved', 'edited'],
        limit: 1,
        now: clock.now(),
      });
      return before !== undefined;
    },
    wasDeclined: (reader: Reader, profile: Profile, proposed: Proposed) =>
      wasDeclined(reader, profile.did, fingerprintOf(profile, proposed)),

    /** The same content proposed again by the same agent, while it waits, is the same proposal. */
    async propose(
      uow: UnitOfWork,
      profile: Profile,
      caller: Caller,
      proposed: Proposed,
      options: { readonly requestId: string } = { requestId: '' },
    ): Promise<ProposalRow> {
      const now = clock.now();
      await requireConsent(uow, profile, caller, proposed, now);
      await memories.requireCategory(uow, profile, proposed.category);
      const target = proposed.targetMemoryId;
      if (target !== undefined && caller.role === 'owner') await memories.get(uow, profile, target);
      const fingerprint = fingerprintOf(profile, proposed);
      const [waiting] = await selectProposals(uow, profile.did, {
        agentDid: caller.did,
        statuses: ['pending'],
        fingerprint,
        now,
      });
      if (waiting) return waiting;
      if (await wasDeclined(uow, profile.did, fingerprint)) throw memoryErrors.proposal_declined_before();
      if (caller.role === 'agent') await requireRoom(uow, profile, caller.did, now);
      await closeOverdue(uow, profile, caller.did, fingerprint, now);
      const row = await insert(uow, profile, caller, proposed, { now, fingerprint });
      const salt = toHex(random.bytes(16));
      const { expiresAt: _, ...text } = proposed;
      await putText(uow, profile.did, { ref: row.proposal_id, salt, body: JSON.stringify(text) });
      const contentHash = saltedHash(hasher, salt, proposed.content);
      const requestedBy: Actor =
        caller.actor.type === 'human' ? { id: agentName(caller), type: 'agent' } : caller.actor;
      await tell(uow, profile, {
        type: 'memory.proposed',
        actor: requestedBy,
        payload: {
          proposalId: row.proposal_id,
          agentDid: caller.did,
          memory_type: row.type,
          category: row.category,
          content_hash: contentHash,
        },
        webhook: 'proposal.received',
        subject: { type: 'proposal', id: row.proposal_id },
      });
      if (caller.role === 'agent')
        await receipts.recordProposal(uow, profile, caller, options.requestId, proposed.category);
      const rules = await memories.sensitivityRules(uow, profile);
      const sensitivity = proposed.sensitivity ?? defaultSensitivity(proposed.category, rules);
      const { autoApproval = {} } = profile.settings;
      const automatic =
        proposed.kind === 'memory' &&
        autoApproval.enabled === true &&
        mayAutoApprove(autoApproval, {
          agentDid: caller.did,
          type: row.type,
          category: proposed.category,
          confidence: proposed.confidence,
          sensitivity,
          approvedToday: await countAutomatic(uow, profile.did, now - 24 * HOUR),
        });
      if (automatic) await approve(uow, profile, row, {}, undefined);
      else await ask(uow, profile, row, { requestedBy, contentHash, sensitivity });
      return (await selectProposal(uow, row.proposal_id)) as ProposalRow;
    },

    async withdraw(
      uow: UnitOfWork,
      profile: Profile,
      caller: Caller,
      proposalId: string,
    ): Promise<ProposalRow> {
      const row = await selectProposal(uow, proposalId);
      const own =
        row?.profile_did === profile.did && (row.agent_did === caller.did || caller.role === 'owner');
      if (!row || !own) throw memoryErrors.A2P003({ message: 'There is no such proposal.' });
      const status = moveProposal(row.status, row.expires_us, 'withdraw', clock.now());
      const at = formatMillis(clock.now());
      await resolveProposal(uow, proposalId, { status, at, by: caller.did, memoryId: null });
      if (row.item_id !== null)
        await inbox.supersede(uow, { itemId: row.item_id, by: caller.actor, reason: 'withdrawn' });
      await tell(uow, profile, {
        type: 'memory.proposal_withdrawn',
        actor: caller.actor,
        payload: { proposalId, agentDid: row.agent_did },
      });
      return { ...row, status };
    },

    /** The owner sees all, an agent its own. */
    async list(
      reader: Reader,
      profile: Profile,
      caller: Caller,
      filter: Omit<ProposalFilter, 'agentDid' | 'now'>,
    ): Promise<StoredProposal[]> {
      const now = clock.now();
      const rows = await selectProposals(reader, profile.did, {
        ...filter,
        now,
        ...(caller.role === 'agent' && { agentDid: caller.did }),
      });
      const texts = await selectTexts(
        reader,
        profile.did,
        rows.map(({ proposal_id }) => proposal_id),
      );
      const listed = rows.map((row) => storedProposal(row, texts.get(row.proposal_id)?.body, now));
      if (caller.role === 'owner') return listed;
      // Its own words are the agent's to see; what the person made of them is a matter of consent to read.
      return listed.map((each) => ({ ...each, editedContent: undefined, editedCategory: undefined }));
    },

    async get(reader: Reader, profile: Profile, caller: Caller, proposalId: string): Promise<StoredProposal> {
      const row = await selectProposal(reader, proposalId);
      const own =
        row?.profile_did === profile.did && (row.agent_did === caller.did || caller.role === 'owner');
      if (!row || !own) throw memoryErrors.A2P003({ message: 'There is no such proposal.' });
      const text = await selectText(reader, profile.did, proposalId);
      return storedProposal(row, text?.body, clock.now());
    },
  };

  async function requireConsent(
    uow: UnitOfWork,
    profile: Profile,
    caller: Caller,
    { type, category }: Proposed,
    now: number,
  ): Promise<void> {
    if (caller.role === 'owner') return;
    const { grant } = await agentGrant(uow, profile.did, caller.did, now);
    if (!mayPropose(grant, { type, category })) throw memoryErrors.A2P004();
    await rates.takeOfPolicy(uow, profile.did, caller.did, grant);
  }

  /** A proposal past its end, which no sweep has closed yet, must not stand in the way of a new one. */
  async function closeOverdue(
    uow: UnitOfWork,
    profile: Profile,
    agentDid: string,
    fingerprint: string,
    now: number,
  ): Promise<void> {
    const [overdue] = await selectProposals(uow, profile.did, {
      agentDid,
      fingerprint,
      statuses: ['expired'],
      now,
    });
    if (overdue?.status === 'pending') {
      await resolveProposal(uow, overdue.proposal_id, {
        status: 'expired',
        at: formatMillis(now),
        by: null,
        memoryId: null,
      });
    }
  }
}

export function storedProposal(row: ProposalRow, body: string | undefined, now: number): StoredProposal {
  const text = body === undefined ? undefined : (JSON.parse(body) as ProposalText);
  return {
    kind: row.kind,
    content: text?.content ?? '',
    category: row.category ?? undefined,
    type: row.type,
    typeGiven: text?.typeGiven ?? true,
    confidence: row.confidence,
    context: text?.context,
    evidence: text?.evidence ?? [],
    sensitivity: text?.sensitivity,
    scope: text?.scope ?? [],
    tags: text?.tags ?? [],
    priority: text?.priority ?? 'normal',
    agentName: text?.agentName,
    sessionId: text?.sessionId,
    targetMemoryId: row.target_memory_id ?? undefined,
    supersedes: text?.supersedes,
    id: row.proposal_id,
    agentDid: row.agent_did,
    userDid: row.profile_did,
    status: statusAt(row.status, row.expires_us, now),
    proposedAt: row.proposed_at,
    expiresAt: row.expires_at,
    resolvedAt: row.resolved_at ?? undefined,
    createdMemoryId: row.created_memory_id ?? undefined,
    reason: text?.reason,
    editedContent: text?.editedContent,
    editedCategory: text?.editedCategory,
    similarTo: [],
  };
}

/** Ids only: the words of a memory stand in one place. */
function titleOf({
  proposal_id: id,
  profile_did: about,
  agent_did: by,
  kind,
  type,
  category,
  target_memory_id: target,
}: ProposalRow) {
  if (kind !== 'memory') return `${by} proposes to make ${target} ${type}, about ${about} (${id})`;
  const place = category === null ? '' : ` in ${category}`;
  return `${by} proposes ${type === 'episodic' ? 'an' : 'a'} ${type} memory about ${about}${place} (${id})`;
}

function givenExpiry(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const instant = parseInstant(text);
  if (!instant) throw memoryErrors.A2P006({ message: 'This is no RFC 3339 instant.', pointer: '/expiresAt' });
  return instant.micros;
}

/** A person who proposes with their own credential does so through something: they may still decide. */
function agentName({ did, role }: Caller): string {
  return role === 'owner' ? 'did:a2p:agent:local:by-hand' : did;
}
