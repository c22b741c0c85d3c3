import { formatMillis } from '../../../kernel/instant.ts';
import { fromPlain, toPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Actor, Principal } from '../../../spine/identity/principal.ts';
import { SYSTEM_ACTOR } from '../../../spine/identity/settings.ts';
import type { DecisionWithEdits } from '../../../spine/inbox/effect.ts';
import type { InboxItem } from '../../../spine/inbox/item.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { memoryErrors } from '../errors.ts';
import type { MemoryDeps } from '../ports.ts';
import { impliedType, parseCategory } from '../rules/category.ts';
import { checkedContent } from '../rules/memory-text.ts';
import { isMemoryType, type MemoryType } from '../rules/memory-type.ts';
import { moveProposal } from '../rules/proposal.ts';
import { isSensitivity } from '../rules/sensitivity.ts';
import { type Profile, selectProfile } from '../store/profile-store.ts';
import { decline, type ProposalRow, resolveProposal, selectProposal } from '../store/proposal-store.ts';
import { putText, selectText } from '../store/text-store.ts';
import type { Tell } from './events.ts';
import type { Memories } from './memories.ts';
import type { Merges } from './merges.ts';
import { proposalDetails } from './proposal-details.ts';
import type { ProposalText } from './proposals.ts';

export interface Edits {
  readonly content?: string;
  readonly category?: string;
  readonly type?: MemoryType;
  readonly sensitivity?: string;
  readonly scope?: readonly string[];
}

/** Undefined for the system itself, where the owner has set that it may. */
export type Approve = (
  uow: UnitOfWork,
  profile: Profile,
  row: ProposalRow,
  edits: Edits,
  by: Actor | undefined,
) => Promise<string | null>;

type Loose = Readonly<Record<string, unknown>>;

/** An empty text is an edit too, and a refused one: it is never taken for "unchanged". */
export function readEdits(given: unknown): Edits {
  const edits = (typeof given === 'object' && given !== null ? given : {}) as Loose;
  const content = edits.content ?? edits.editedContent;
  const category = edits.category ?? edits.editedCategory;
  const type = edits.memory_type ?? edits.memoryType;
  if (content !== undefined && typeof content !== 'string')
    throw refused('/edits/content', 'The content is text.');
  if (category !== undefined && (typeof category !== 'string' || !parseCategory(category)))
    throw refused('/edits/category', 'This is no category.');
  if (type !== undefined && !isMemoryType(type)) throw memoryErrors.A2P023({ pointer: '/edits/memory_type' });
  if (edits.sensitivity !== undefined && !isSensitivity(edits.sensitivity))
    throw refused('/edits/sensitivity', 'There is no such sensitivity.');
  const scope = edits.scope;
  if (scope !== undefined && !(Array.isArray(scope) && scope.every((each) => typeof each === 'string')))
    throw refused('/edits/scope', 'This is a list of words.');
  return {
    ...(content !== undefined && { content: checkedContent(content, '/edits/content') }),
    ...(category !== undefined && { category: category as string }),
    ...(type !== undefined && { type: type as MemoryType }),
    ...(edits.sensitivity !== undefined && { sensitivity: edits.sensitivity as string }),
    ...(scope !== undefined && { scope: scope as string[] }),
  };
}

export function createApprove(
  deps: MemoryDeps,
  parts: { tell: Tell; memories: Memories; merges: Merges },
): Approve {
  const { clock } = deps;
  const { tell, memories, merges } = parts;

  async function makeMemory(
    uow: UnitOfWork,
    profile: Profile,
    row: ProposalRow,
    text: ProposalText,
    edits: Edits,
    at: string,
  ): Promise<string> {
    const id = memories.newId();
    const category = edits.category ?? row.category ?? undefined;
    await memories.requireCategory(uow, profile, category);
    const type =
      edits.type ?? (edits.category === undefined ? undefined : impliedType(edits.category)) ?? row.type;
    const sensitivity = edits.sensitivity ?? text.sensitivity;
    const scope = edits.scope ?? text.scope;
    const document = fromPlain({
      id,
      content: edits.content ?? text.content,
      category,
      source: {
        type: 'agent_proposal',
        agentDid: row.agent_did,
        agentName: text.agentName,
        sessionId: text.sessionId,
        timestamp: row.proposed_at,
        context: text.context,
      },
      confidence: row.confidence,
      status: 'approved',
      sensitivity,
      scope: scope.length > 0 ? scope : undefined,
      metadata: {
        approvedAt: at,
        useCount: 0,
        initialConfidence: row.confidence,
        supersedes: text.supersedes,
      },
      tags: text.tags.length > 0 ? text.tags : undefined,
    }) as JsonObject;
    if (text.supersedes !== undefined)
      await memories.archive(uow, profile, text.supersedes, SYSTEM_ACTOR, id);
    await memories.create(
      uow,
      profile,
      SYSTEM_ACTOR,
      { id, type, document },
      { proposal_id: row.proposal_id },
    );
    if (profile.settings.mergeExactDuplicates === true) await merges.mergeDuplicates(uow, profile, id);
    return id;
  }

  return async (uow, profile, row, edits, by) => {
    const now = clock.now();
    const at = formatMillis(now);
    const edited = Object.keys(edits).length > 0;
    const status = moveProposal(row.status, row.expires_us, edited ? 'edit' : 'approve', now);
    const stored = await selectText(uow, profile.did, row.proposal_id);
    if (!stored) throw memoryErrors.A2P003({ message: 'The text of this proposal was erased.' });
    const text = JSON.parse(stored.body) as ProposalText;
    let memoryId: string | null = row.target_memory_id;
    if (row.kind === 'reclassification') {
      await memories.reclassify(
        uow,
        profile,
        row.target_memory_id ?? '',
        by ?? SYSTEM_ACTOR,
        edits.type ?? row.type,
        'proposal',
      );
    } else memoryId = await makeMemory(uow, profile, row, text, edits, at);
    if (edited) {
      const kept: ProposalText = {
        ...text,
        ...(edits.content !== undefined && { editedContent: edits.content }),
        ...(edits.category !== undefined && { editedCategory: edits.category }),
      };
      await putText(uow, profile.did, { ...stored, body: JSON.stringify(kept) });
    }
    await resolveProposal(uow, row.proposal_id, {
      status,
      at,
      by: by?.id ?? SYSTEM_ACTOR.id,
      memoryId,
      automatic: by === undefined,
    });
    await tell(uow, profile, {
      type: 'memory.proposal_approved',
      actor: by ?? SYSTEM_ACTOR,
      payload: {
        proposalId: row.proposal_id,
        agentDid: row.agent_did,
        resolution: edited ? 'approved_with_edits' : 'approved',
        memoryId,
        automatic: by === undefined,
      },
      webhook: 'proposal.approved',
      subject: { type: 'proposal', id: row.proposal_id },
    });
    return memoryId;
  };
}

/** What the inbox does when a person has decided. Only who keeps the profile may. */
export function proposalEffect(deps: MemoryDeps, parts: { tell: Tell; approve: Approve }) {
  const { clock } = deps;

  async function find(uow: UnitOfWork, item: InboxItem): Promise<{ row: ProposalRow; profile: Profile }> {
    const row = await selectProposal(uow, item.subject.id);
    const profile = row && (await selectProfile(uow, row.profile_did));
    if (!row || !profile) throw memoryErrors.A2P003({ message: 'The profile of this proposal is gone.' });
    return { row, profile };
  }

  return {
    apply: 'rows' as const,

    async run(uow: UnitOfWork, item: InboxItem, made: DecisionWithEdits): Promise<void> {
      const { row, profile } = await find(uow, item);
      const { decidedBy, credential } = made;
      const keeps = decidedBy.id === profile.ownerActor || profile.settings.delegates?.includes(decidedBy.id);
      if (!keeps && credential !== 'owner') throw memoryErrors.A2P002();
      if (made.decision === 'reject') {
        const now = clock.now();
        const status = moveProposal(row.status, row.expires_us, 'reject', now);
        await resolveProposal(uow, row.proposal_id, {
          status,
          at: formatMillis(now),
          by: decidedBy.id,
          memoryId: null,
        });
        await decline(uow, profile.did, row.fingerprint, now);
        await parts.tell(uow, profile, {
          type: 'memory.proposal_rejected',
          actor: decidedBy,
          payload: { proposalId: row.proposal_id, agentDid: row.agent_did, resolution: 'rejected' },
          webhook: 'proposal.rejected',
          subject: { type: 'proposal', id: row.proposal_id },
        });
        return;
      }
      const edits = made.edits === undefined ? {} : readEdits(toPlain(made.edits));
      await parts.approve(uow, profile, row, edits, decidedBy);
    },

    describe: (reader: Reader, item: InboxItem, principal: Principal) =>
      proposalDetails(reader, item.subject.id, principal, clock.now()),

    async expired(uow: UnitOfWork, item: InboxItem): Promise<void> {
      const row = await selectProposal(uow, item.subject.id);
      const profile = row && (await selectProfile(uow, row.profile_did));
      if (!row || !profile || row.status !== 'pending') return;
      await resolveProposal(uow, row.proposal_id, {
        status: 'expired',
        at: formatMillis(clock.now()),
        by: null,
        memoryId: null,
      });
      await parts.tell(uow, profile, {
        type: 'memory.proposal_expired',
        actor: SYSTEM_ACTOR,
        payload: { proposalId: row.proposal_id, agentDid: row.agent_did, resolution: 'expired' },
        webhook: 'proposal.expired',
        subject: { type: 'proposal', id: row.proposal_id },
      });
    },
  };
}

function refused(pointer: string, message: string): Error {
  return memoryErrors.A2P006({ pointer, message });
}
