import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { recordEvent } from '../events.ts';
import type { Memory } from '../memories/keep.ts';
import { countsAsUse } from '../memories/rules.ts';
import { addUses, countUses, insertUses } from '../memories/store.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Caller } from '../profile-access.ts';
import type { Profile } from '../profiles/store.ts';
import { type AgentGrant, agentGrant } from './grants.ts';
import type { Permission } from './rules/policy.ts';
import type { Purpose } from './rules/purpose.ts';
import { type Access, insertAccess, insertReceipt, type Receipt, selectLiveReceipt } from './store.ts';

const DAY = 86_400_000_000;

const UNSTATED: Purpose = { type: 'other', description: 'Not stated', legalBasis: 'consent' };

/** Every access of an agent falls under a receipt: what was granted, on which grounds, and what it was used for. */
export async function issueReceipt(
  uow: UnitOfWork,
  { clock, random }: MemoryDeps,
  profile: Profile,
  { grant, requester }: AgentGrant,
  granting: Pick<Receipt, 'granted' | 'denied' | 'purpose'>,
): Promise<Receipt> {
  const now = clock.now();
  const receipt: Receipt = {
    ...granting,
    receiptId: prefixedId('rcpt', random),
    profileDid: profile.did,
    agentDid: requester.agentDid,
    operatorDid: requester.operatorDid ?? null,
    policyId: grant.policyId ?? null,
    permissions: [...grant.permissions].filter((each): each is Permission => each !== 'none'),
    consentMethod: 'policy_match',
    grantedAt: formatMillis(now),
    expiresAt: formatMillis(now + DAY),
    expires: now + DAY,
    revokedAt: null,
    revokedReason: null,
  };
  await insertReceipt(uow, receipt);
  return receipt;
}

/** The receipt for what the policies grant now, or a new one for the same purpose. */
async function currentReceipt(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  agent: AgentGrant,
): Promise<Receipt> {
  const live = await selectLiveReceipt(uow, profile.did, agent.requester.agentDid, deps.clock.now());
  const same = [...(live?.permissions ?? [])].sort().join() === [...agent.grant.permissions].sort().join();
  if (live && same && live.policyId === (agent.grant.policyId ?? null)) return live;
  return issueReceipt(uow, deps, profile, agent, {
    granted: agent.grant.allow.map(({ text }) => text),
    denied: [],
    purpose: live?.purpose ?? UNSTATED,
  });
}

export async function logProposal(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  caller: Caller,
  request: { readonly requestId: string; readonly category: string | undefined },
): Promise<void> {
  const { requestId, category } = request;
  const agent = await agentGrant(uow, profile.did, caller.did, deps.clock.now());
  const { receiptId } = await currentReceipt(uow, deps, profile, agent);
  const scopes = category === undefined ? [] : [category];
  const access = { receiptId, action: 'propose', requestId, scopes } as const;
  await logAccess(uow, deps, profile, caller, access, []);
}

/** Records what an agent was given, by id and salted hash, and counts each memory as used once per session. */
export async function logRead(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  caller: Caller,
  agent: AgentGrant,
  delivered: readonly Memory[],
  request: {
    readonly requestId: string;
    readonly scopes: readonly string[];
    readonly session: string | undefined;
  },
): Promise<void> {
  const at = formatMillis(deps.clock.now());
  const { requestId, scopes, session } = request;
  const { receiptId } = await currentReceipt(uow, deps, profile, agent);
  const ids = delivered.map(({ item }) => item.memoryId);
  const access = { receiptId, action: 'read', requestId, scopes } as const;
  await logAccess(uow, deps, profile, caller, access, ids);
  const day = at.slice(0, 10);
  const today = await countUses(uow, profile.did, caller.did, day, ids);
  const due = ids.filter((id) =>
    countsAsUse(caller.role, { countedInSession: false, countedToday: today.get(id) ?? 0 }),
  );
  const use = { did: profile.did, agentDid: caller.did, session: session ?? day, day };
  await addUses(uow, profile.did, await insertUses(uow, use, due), at);
  await recordEvent(uow, deps, profile, {
    type: 'memory.read',
    actor: caller.actor,
    payload: {
      agentDid: caller.did,
      receipt_id: receiptId,
      request_id: requestId,
      memories: delivered.map(({ item, contentHash }) => ({ id: item.memoryId, content_hash: contentHash })),
    },
  });
}

async function logAccess(
  uow: UnitOfWork,
  { clock }: MemoryDeps,
  profile: Profile,
  caller: Caller,
  access: Pick<Access, 'receiptId' | 'action' | 'requestId' | 'scopes'>,
  memoryIds: readonly string[],
): Promise<void> {
  const at = formatMillis(clock.now());
  await insertAccess(uow, { ...access, profileDid: profile.did, agentDid: caller.did, at }, memoryIds);
}
