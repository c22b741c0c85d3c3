import { toPlain } from '../../kernel/json/plain.ts';
import type { Candidate } from './consolidation/merge.ts';
import type { Merge } from './consolidation/store.ts';
import type { Memory } from './memories/keep.ts';
import type { Found } from './memories/read.ts';
import type { Profile } from './profiles/store.ts';
import type { ProposalRow } from './proposals/store.ts';

type Document = Record<string, unknown>;

export const DONE = { body: { ok: true as const } };

export const profileBody = (profile: Profile) => ({
  did: profile.did,
  project_id: profile.projectId,
  profile_type: profile.profileType,
  owner: profile.ownerActor,
  created_at: profile.createdAt,
});

/** Ids and states only: answers of writes may be kept for their idempotency key. */
export const proposalBody = (row: ProposalRow) => ({
  proposal_id: row.proposal_id,
  status: row.status,
  expires_at: row.expires_at,
  memory_id: row.created_memory_id,
});

export const memoryRefBody = ({ item }: Memory) => ({
  id: item.memoryId,
  memory_type: item.class.type,
  status: item.status,
});

export const plainMemory = (memory: Memory) => ({
  type: memory.item.class.type,
  memory: toPlain(memory.document) as Document,
  confidence: memory.item.confidence,
});

export const candidateBody = ({ memory, score, exact, mayContradict }: Candidate) => ({
  ...plainMemory(memory),
  score,
  exact,
  may_contradict: mayContradict,
});

export function foundBody({ memory, document, confidence, suggests, score }: Found) {
  return {
    type: memory.item.class.type,
    memory: toPlain(document) as Document,
    confidence: Math.round(confidence * 10_000) / 10_000,
    ...(suggests !== 'nothing' && { suggests }),
    ...(score !== undefined && { score }),
    ...(memory.item.pinned && { pinned: true }),
  };
}

export const mergeBody = (merge: Merge) => ({
  merge_id: merge.mergeId,
  memory_id: merge.memoryId,
  sources: [...merge.sources],
  merged_at: merge.mergedAt,
  undone_at: merge.undoneAt,
});
