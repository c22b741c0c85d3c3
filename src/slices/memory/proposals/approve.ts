import { formatMillis } from '../../../kernel/instant.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import { SYSTEM_ACTOR } from '../../../spine/identity/settings.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { effectiveSensitivity, impliedType } from '../categories.ts';
import { mergeDuplicates } from '../consolidation/merge.ts';
import { objectMember } from '../documents.ts';
import { memoryErrors } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { archiveMemory, reclassifyMemory } from '../memories/change.ts';
import { createMemory, newMemoryId } from '../memories/keep.ts';
import { loweredBy } from '../memories/rules.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import { requireCategory, sensitivityRules } from '../registry/categories.ts';
import { putText, selectText } from '../text-store.ts';
import type { ProposalText } from './find.ts';
import { moveProposal } from './rules.ts';
import type { Edits } from './shape.ts';
import { type ProposalRow, resolveProposal } from './store.ts';

/** `by` is undefined when the system approves on its own, as the owner has allowed. */
export async function approve(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  row: ProposalRow,
  edits: Edits,
  by: Actor | undefined,
): Promise<void> {
  const now = deps.clock.now();
  const at = formatMillis(now);
  const edited = Object.keys(edits).length > 0;
  const status = moveProposal(row.status, row.expires_us, edited ? 'edit' : 'approve', now);
  const stored = await selectText(uow, profile.did, row.proposal_id);
  if (!stored) throw memoryErrors.A2P003({ message: 'The text of this proposal was erased.' });
  const text = JSON.parse(stored.body) as ProposalText;
  const actor = by ?? SYSTEM_ACTOR;
  let memoryId = row.target_memory_id;
  if (row.kind === 'reclassification') {
    const to = edits.type ?? row.type;
    await reclassifyMemory(uow, deps, profile, actor, memoryId ?? '', to, 'proposal');
  } else memoryId = await makeMemory(uow, deps, profile, row, text, edits, { at, by });
  if (edited) {
    const { content: editedContent, category: editedCategory } = edits;
    const kept = {
      ...text,
      ...(editedContent !== undefined && { editedContent }),
      ...(editedCategory !== undefined && { editedCategory }),
    };
    await putText(uow, profile.did, { ...stored, body: JSON.stringify(kept) });
  }
  const automatic = by === undefined;
  await resolveProposal(uow, row.proposal_id, { status, at, by: actor.id, memoryId, automatic });
  await recordEvent(uow, deps, profile, {
    type: 'memory.proposal_approved',
    actor,
    payload: {
      proposalId: row.proposal_id,
      agentDid: row.agent_did,
      resolution: edited ? 'approved_with_edits' : 'approved',
      memoryId,
      automatic,
    },
    webhook: 'proposal.approved',
    subject: { type: 'proposal', id: row.proposal_id },
  });
}

async function makeMemory(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  row: ProposalRow,
  text: ProposalText,
  edits: Edits,
  { at, by }: { readonly at: string; readonly by: Actor | undefined },
): Promise<string> {
  const id = newMemoryId(deps);
  const category = edits.category ?? row.category ?? undefined;
  await requireCategory(uow, profile, category);
  const type = edits.type ?? impliedType(edits.category) ?? row.type;
  const rules = await sensitivityRules(uow, profile);
  const decided = by?.type === 'human' ? edits.sensitivity : undefined;
  const declared =
    text.sensitivity && effectiveSensitivity({ category, sensitivity: text.sensitivity }, rules);
  const scope = edits.scope ?? text.scope;
  const proposed = fromPlain({
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
    sensitivity: decided ?? declared,
    scope: scope.length > 0 ? scope : undefined,
    metadata: {
      approvedAt: at,
      useCount: 0,
      initialConfidence: row.confidence,
      supersedes: text.supersedes,
    },
    tags: text.tags.length > 0 ? text.tags : undefined,
  }) as JsonObject;
  const document = by && decided ? loweredBy(by, at, proposed, rules) : proposed;
  if (text.supersedes !== undefined)
    await archiveMemory(uow, deps, profile, SYSTEM_ACTOR, text.supersedes, id);
  const lowered = objectMember(document, 'metadata').sensitivityLowered !== undefined;
  const origin = { proposal_id: row.proposal_id, ...(lowered && { sensitivity_lowered: true }) };
  await createMemory(uow, deps, profile, SYSTEM_ACTOR, { id, type, document }, origin);
  if (profile.settings.mergeExactDuplicates === true) await mergeDuplicates(uow, deps, profile, id);
  return id;
}
