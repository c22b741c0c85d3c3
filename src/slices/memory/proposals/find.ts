import type { Reader } from '../../../spine/storage/database.ts';
import { similarBody, similarMemories } from '../consolidation/similar.ts';
import { declinedFingerprint, declinedMeaning, normalForm } from '../content.ts';
import { memoryErrors } from '../errors.ts';
import { classify } from '../memories/classify.ts';
import { selectClasses } from '../memories/store.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Caller } from '../profile-access.ts';
import type { Profile } from '../profiles/store.ts';
import { sensitivityRules } from '../registry/categories.ts';
import { selectText, selectTexts } from '../text-store.ts';
import { reviewFields } from './review-fields.ts';
import { type ProposalStatus, statusAt } from './rules.ts';
import { flatProposal, type NewProposal, type StoredProposal } from './shape.ts';
import {
  type ProposalFilter,
  type ProposalRow,
  selectProposal,
  selectProposals,
  wasDeclined,
} from './store.ts';

const SIMILAR = 5;

/** The words of a proposal, as stored in the one table for texts. */
export interface ProposalText extends Omit<NewProposal, 'expiresAt'> {
  readonly editedContent?: string;
  readonly editedCategory?: string;
  readonly reason?: string;
}

/** The owner sees all of them, an agent its own. */
export async function listProposals(
  reader: Reader,
  { clock }: MemoryDeps,
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
  const ids = rows.map(({ proposal_id }) => proposal_id);
  const texts = await selectTexts(reader, profile.did, ids);
  const listed = rows.map((row) => storedProposal(row, texts.get(row.proposal_id)?.body, now));
  if (caller.role === 'owner') return listed;
  // An agent may see its own words again; what the person made of them takes consent to read.
  return listed.map((each) => ({ ...each, editedContent: undefined, editedCategory: undefined }));
}

/** A proposal for its reviewer: beside memories it resembles or contradicts, and the type that the rules would give it. */
export async function showProposal(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
  proposalId: string,
): Promise<Record<string, unknown>> {
  const row = await selectProposal(reader, proposalId);
  if (row?.profile_did !== profile.did) throw noSuchProposal();
  const text = await selectText(reader, profile.did, proposalId);
  const proposal = storedProposal(row, text?.body, deps.clock.now());
  const { content, context, evidence, createdMemoryId } = proposal;
  const rules = await sensitivityRules(reader, profile);
  // Of any type and category: a habit may contradict a fact.
  const classes = (await selectClasses(reader, profile.did, rules)).map(({ classId }) => classId);
  const except = createdMemoryId === undefined ? [] : [createdMemoryId];
  const filter = { except, limit: SIMILAR, classes };
  const similar = content === '' ? [] : await similarMemories(reader, deps, profile, content, filter);
  return {
    ...flatProposal({ ...proposal, similarTo: similar.map(({ memory }) => memory.item.memoryId) }),
    ...reviewFields(proposal, rules),
    similar: similar.map(similarBody),
    classified: classify({ content, context, episodes: evidence.length }),
  };
}

/** Throws alike where there is none, and where it is not this caller's to see. */
export async function requireProposal(
  reader: Reader,
  profile: Profile,
  caller: Caller,
  proposalId: string,
): Promise<ProposalRow> {
  const row = await selectProposal(reader, proposalId);
  const own = row?.profile_did === profile.did && (row.agent_did === caller.did || caller.role === 'owner');
  if (!row || !own) throw noSuchProposal();
  return row;
}

export const noSuchProposal = () => memoryErrors.A2P003({ message: 'There is no such proposal.' });

/** Identifies the same proposal again, and later the declined one, without its words. */
export function fingerprintOf(
  { hasher }: MemoryDeps,
  profile: Profile,
  { kind, content, targetMemoryId, type }: Pick<NewProposal, 'kind' | 'content' | 'targetMemoryId' | 'type'>,
): string {
  const subject = kind === 'memory' ? content : `${kind} ${targetMemoryId} ${type}`;
  return declinedFingerprint(hasher, profile.declinedKey, subject);
}

/** What is remembered of declined content: itself, and its normal form, so that another comma does not bring it back. */
export function declinedMarks(
  deps: MemoryDeps,
  profile: Profile,
  proposed: Pick<NewProposal, 'kind' | 'content' | 'targetMemoryId' | 'type'>,
): readonly string[] {
  const fingerprint = fingerprintOf(deps, profile, proposed);
  if (proposed.kind !== 'memory' || normalForm(proposed.content) === '') return [fingerprint];
  return [fingerprint, declinedMeaning(deps.hasher, profile.declinedKey, proposed.content)];
}

export async function wasDeclinedBefore(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
  proposed: NewProposal,
): Promise<boolean> {
  for (const mark of declinedMarks(deps, profile, proposed)) {
    if (await wasDeclined(reader, profile.did, mark)) return true;
  }
  return false;
}

/** Whether the person has accepted or declined this before, or still has it in the inbox. */
export function wasProposedBefore(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
  proposed: NewProposal,
): Promise<boolean> {
  return wasProposed(reader, deps, profile, proposed, ['pending', 'approved', 'edited']);
}

/** The same, also if nobody answered, or it was taken back. */
export function wasEverProposed(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
  proposed: NewProposal,
): Promise<boolean> {
  return wasProposed(reader, deps, profile, proposed, undefined);
}

async function wasProposed(
  reader: Reader,
  deps: MemoryDeps,
  profile: Profile,
  proposed: NewProposal,
  statuses: readonly ProposalStatus[] | undefined,
): Promise<boolean> {
  if (await wasDeclinedBefore(reader, deps, profile, proposed)) return true;
  const fingerprint = fingerprintOf(deps, profile, proposed);
  const [before] = await selectProposals(reader, profile.did, {
    fingerprint,
    statuses,
    limit: 1,
    now: deps.clock.now(),
  });
  return before !== undefined;
}

/** From its row and the body of its text, which is undefined once the text was erased. */
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
