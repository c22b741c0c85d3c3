import { toHex } from '../../../kernel/hex.ts';
import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis, parseInstant } from '../../../kernel/instant.ts';
import { asRecord, asString } from '../../../kernel/json/loose.ts';
import { toPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { defaultSensitivity } from '../categories.ts';
import { putPolicy } from '../consent/store.ts';
import { declinedFingerprint, saltedHash } from '../content.ts';
import { requireDid } from '../did.ts';
import { withMembers } from '../documents.ts';
import { invalid } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { newMemoryId, putNewMemories } from '../memories/keep.ts';
import type { MemoryDeps } from '../ports.ts';
import { requireClaim } from '../profile-access.ts';
import { insertNewProfile } from '../profiles/create.ts';
import type { Profile } from '../profiles/store.ts';
import { requestReview } from '../proposals/review.ts';
import { PROPOSAL_STATUSES, type ProposalStatus } from '../proposals/rules.ts';
import { insertProposal, type ProposalRow } from '../proposals/store.ts';
import { sensitivityRules } from '../registry/categories.ts';
import { putText } from '../text-store.ts';
import { type ImportedMemory, splitProfile } from './rules.ts';

const WEEK = 7 * 86_400_000_000;

export interface ImportedProfile {
  readonly did: string;
  readonly memories: number;
  readonly proposals: number;
  readonly policies: number;
}

/** Makes a new profile of an a2p document with all its memories, proposals and policies; refuses a DID that is taken. */
export async function importProfile(
  uow: UnitOfWork,
  deps: MemoryDeps,
  principal: Principal,
  document: JsonObject,
): Promise<ImportedProfile> {
  const did = asString(document.id);
  if (did === undefined) throw invalid('/id', 'A profile must have a DID as its id.');
  requireDid(did, '/id', { lenient: true });
  requireClaim(principal, did, '/id');
  const { skeleton, memories, policies, proposals } = splitProfile(document);
  const profile = await insertNewProfile(uow, deps, principal, did, skeleton);
  await putNewMemories(uow, deps, profile, withIds(deps, memories));
  for (const [at, policy] of policies.entries()) {
    const id = asString(policy.id) ?? `policy_imported${at}`;
    await putPolicy(uow, did, { policy_id: id, document: writeJson(policy) });
  }
  for (const proposal of proposals) await importProposal(uow, deps, profile, proposal);
  const counts = { memories: memories.length, proposals: proposals.length, policies: policies.length };
  await recordEvent(uow, deps, profile, {
    type: 'memory.profile_imported',
    actor: principal.actor,
    payload: counts,
    webhook: 'profile.updated',
    subject: { type: 'profile', id: did },
  });
  return { did, ...counts };
}

/** Replaces ids that a2p would not allow, and those that occur twice. */
function* withIds(deps: MemoryDeps, imported: readonly ImportedMemory[]) {
  const seen = new Set<string>();
  for (const { type, document: memory } of imported) {
    const given = asString(memory.id);
    const usable = given !== undefined && /^mem_[a-zA-Z0-9]+$/.test(given) && !seen.has(given);
    const id = usable ? given : newMemoryId(deps);
    seen.add(id);
    yield { id, type, document: given === id ? memory : withMembers(memory, { id }) };
  }
}

/** Kept as it came; one past its end is expired, even where the end lies before the beginning. */
async function importProposal(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  document: JsonObject,
): Promise<void> {
  const { clock, random, hasher } = deps;
  const now = clock.now();
  const plain = asRecord(toPlain(document));
  const memory = asRecord(plain.memory);
  const content = String(memory.content ?? plain.content ?? '');
  const type = plain.memory_type ?? plain.memoryType ?? memory.memory_type;
  const fingerprint = declinedFingerprint(hasher, profile.declinedKey, `${plain.id ?? ''} ${content}`);
  const row = importedRow(plain, now, {
    proposal_id: prefixedId('prop', random),
    profile_did: profile.did,
    type: type === 'semantic' || type === 'procedural' ? type : 'episodic',
    fingerprint,
  });
  await insertProposal(uow, row);
  const text = {
    kind: 'memory',
    content,
    type: row.type,
    typeGiven: type !== undefined,
    confidence: row.confidence,
    ...(typeof plain.context === 'string' && { context: plain.context }),
    evidence: [],
    scope: [],
    tags: [],
    priority: 'normal',
    written: writeJson(document),
    // The status that the document itself shows: an expired one is exported with its end, as it came.
    writtenStatus: row.status,
  };
  const salt = toHex(random.bytes(16));
  const body = JSON.stringify(text);
  await putText(uow, profile.did, { ref: row.proposal_id, salt, body });
  if (row.status !== 'pending') return;
  const rules = await sensitivityRules(uow, profile);
  await requestReview(uow, deps, profile, row, {
    requestedBy: { id: row.agent_did, type: 'agent' },
    contentHash: saltedHash(hasher, salt, content),
    textHash: saltedHash(hasher, salt, body),
    sensitivity: defaultSensitivity(row.category ?? undefined, rules),
  });
}

function importedRow(
  plain: Readonly<Record<string, unknown>>,
  now: number,
  known: Pick<ProposalRow, 'proposal_id' | 'profile_did' | 'type' | 'fingerprint'>,
): ProposalRow {
  const memory = asRecord(plain.memory);
  const proposed = parseInstant(String(plain.proposedAt ?? ''))?.micros ?? now;
  const expires = parseInstant(String(plain.expiresAt ?? ''))?.micros ?? proposed + WEEK;
  const given = PROPOSAL_STATUSES.find((status) => status === plain.status) ?? 'pending';
  const status: ProposalStatus =
    given === 'pending' && expires <= Math.max(now, proposed) ? 'expired' : given;
  const agent = plain.agentDid ?? asRecord(plain.proposedBy).agentDid;
  return {
    ...known,
    agent_did: String(agent ?? 'did:a2p:agent:local:unknown'),
    kind: 'memory',
    category: asString(memory.category ?? plain.category) ?? null,
    confidence: Number(memory.confidence ?? plain.confidence ?? 0.8),
    target_memory_id: null,
    status,
    proposed_at: formatMillis(proposed),
    proposed_us: proposed,
    expires_at: formatMillis(expires),
    expires_us: expires,
    resolved_at: status === 'pending' || status === 'expired' ? null : formatMillis(now),
    resolved_by: null,
    created_memory_id: null,
    item_id: null,
    batch_id: null,
    automatic: 0,
  };
}
