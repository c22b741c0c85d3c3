import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { Caller } from '../caller.ts';
import type { Tell } from '../event-recorder.ts';
import type { Memory } from '../memories/keep.ts';
import { addUses, countUses, insertUses } from '../memories/store.ts';
import { countsAsUse } from '../memories/use-count.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import { type AgentGrant, agentGrant } from './grants.ts';
import type { Permission } from './rules/policy.ts';
import type { Purpose } from './rules/purpose.ts';
import { type Access, insertAccess, insertReceipt, type Receipt, selectLiveReceipt } from './store.ts';

const DAY = 86_400_000_000;

export interface NewReceipt {
  readonly granted: readonly string[];
  readonly denied: readonly string[];
  readonly purpose: Purpose;
  readonly method: Receipt['consentMethod'];
}

export type Receipts = ReturnType<typeof createReceipts>;

/** Every access of an agent stands under a receipt: what was granted, on which grounds, and what came of it. */
export function createReceipts({ clock, random }: MemoryDeps, tell: Tell) {
  async function issue(
    uow: UnitOfWork,
    profile: Profile,
    { grant, requester }: AgentGrant,
    made: NewReceipt,
  ): Promise<Receipt> {
    const now = clock.now();
    const receipt: Receipt = {
      receiptId: prefixedId('rcpt', random),
      profileDid: profile.did,
      agentDid: requester.agentDid,
      operatorDid: requester.operatorDid ?? null,
      policyId: grant.policyId ?? null,
      granted: made.granted,
      denied: made.denied,
      permissions: [...grant.permissions].filter((each): each is Permission => each !== 'none'),
      purpose: made.purpose,
      consentMethod: made.method,
      grantedAt: formatMillis(now),
      expiresAt: formatMillis(now + DAY),
      expires: now + DAY,
      revokedAt: null,
      revokedReason: null,
    };
    await insertReceipt(uow, receipt);
    return receipt;
  }

  /** The receipt that stands for what the policies give now, or a new one under the same purpose. */
  async function current(uow: UnitOfWork, profile: Profile, agent: AgentGrant): Promise<Receipt> {
    const live = await selectLiveReceipt(uow, profile.did, agent.requester.agentDid, clock.now());
    const same = [...(live?.permissions ?? [])].sort().join() === [...agent.grant.permissions].sort().join();
    if (live && same && live.policyId === (agent.grant.policyId ?? null)) return live;
    const allowed = agent.grant.allow.map(({ text }) => text);
    const unstated: Purpose = { type: 'other', description: 'Not stated', legalBasis: 'consent' };
    const purpose = live?.purpose ?? unstated;
    return issue(uow, profile, agent, { granted: allowed, denied: [], purpose, method: 'policy_match' });
  }

  return {
    issue,

    async recordProposal(
      uow: UnitOfWork,
      profile: Profile,
      caller: Caller,
      requestId: string,
      category: string | undefined,
    ) {
      const agent = await agentGrant(uow, profile.did, caller.did, clock.now());
      const receipt = await current(uow, profile, agent);
      await insertAccess(
        uow,
        access(profile, caller, receipt, 'propose', requestId, category === undefined ? [] : [category]),
        [],
      );
    },

    /** What was handed to an agent, by id and salted hash; each memory counts as used once per session. */
    async recordRead(
      uow: UnitOfWork,
      profile: Profile,
      caller: Caller,
      agent: AgentGrant,
      delivered: readonly Memory[],
      request: {
        readonly requestId: string;
        readonly scopes: readonly string[];
        readonly session: string | undefined;
      },
    ): Promise<Receipt> {
      const now = clock.now();
      const at = formatMillis(now);
      const receipt = await current(uow, profile, agent);
      const ids = delivered.map(({ item }) => item.memoryId);
      await insertAccess(
        uow,
        access(profile, caller, receipt, 'read', request.requestId, request.scopes),
        ids,
      );
      const day = at.slice(0, 10);
      const today = await countUses(uow, profile.did, caller.did, day, ids);
      const due = ids.filter((id) =>
        countsAsUse(caller.role, { countedInSession: false, countedToday: today.get(id) ?? 0 }),
      );
      const use = { did: profile.did, agentDid: caller.did, session: request.session ?? day, day };
      await addUses(uow, profile.did, await insertUses(uow, use, due), at);
      await tell(uow, profile, {
        type: 'memory.read',
        actor: caller.actor,
        payload: {
          agentDid: caller.did,
          receipt_id: receipt.receiptId,
          request_id: request.requestId,
          memories: delivered.map(({ item, contentHash }) => ({
            id: item.memoryId,
            content_hash: contentHash,
          })),
        },
      });
      return receipt;
    },
  };

  function access(
    profile: Profile,
    caller: Caller,
    receipt: Receipt,
    action: Access['action'],
    requestId: string,
    scopes: readonly string[],
  ): Access {
    return {
      profileDid: profile.did,
      receiptId: receipt.receiptId,
      agentDid: caller.did,
      action,
      scopes,
      requestId,
      at: formatMillis(clock.now()),
    };
  }
}
