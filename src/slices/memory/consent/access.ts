import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { toPlain } from '../../../kernel/json/plain.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { Caller } from '../caller.ts';
import { textMember, withMembers } from '../documents.ts';
import { memoryErrors } from '../errors.ts';
import type { Tell } from '../event-recorder.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profile } from '../profiles/store.ts';
import type { Rates } from '../rates.ts';
import { agentGrant } from './grants.ts';
import type { Receipts } from './receipts.ts';
import { checkPolicy } from './rules/check-policy.ts';
import { answerScopes } from './rules/grant.ts';
import { POLICY_TEMPLATES, type PolicyTemplate } from './rules/policy-templates.ts';
import type { Purpose } from './rules/purpose.ts';
import {
  deletePolicy,
  putPolicy,
  type Receipt,
  revokeReceipts,
  selectAccesses,
  selectPolicies,
  selectReceipts,
  setBlock,
} from './store.ts';

const LOG_ENTRIES = 100;

export type Consent = ReturnType<typeof createConsent>;

export function createConsent(deps: MemoryDeps, parts: { tell: Tell; receipts: Receipts; rates: Rates }) {
  const { clock, random } = deps;
  const { tell, receipts, rates } = parts;

  async function save(
    uow: UnitOfWork,
    profile: Profile,
    actor: Actor,
    document: JsonObject,
  ): Promise<string> {
    const plain = toPlain(document) as Record<string, unknown>;
    checkPolicy(plain);
    const now = formatMillis(clock.now());
    const id = textMember(document, 'id') ?? prefixedId('policy', random);
    if (!/^policy_[a-zA-Z0-9]+$/.test(id))
      throw memoryErrors.A2P006({
        pointer: '/id',
        message: 'A policy id is policy_ and letters and digits.',
      });
    const dated = withMembers(document, {
      id,
      updated: now,
      ...(document.created === undefined && { created: now }),
    });
    const created = await putPolicy(uow, profile.did, { policy_id: id, document: writeJson(dated) });
    await tell(uow, profile, {
      type: created ? 'memory.policy_created' : 'memory.policy_updated',
      actor,
      payload: { policyId: id, action: created ? 'created' : 'updated' },
      webhook: created ? 'policy.created' : 'policy.updated',
      subject: { type: 'policy', id },
    });
    return id;
  }

  return {
    save,

    async applyTemplate(
      uow: UnitOfWork,
      profile: Profile,
      actor: Actor,
      template: PolicyTemplate,
    ): Promise<string[]> {
      const ids: string[] = [];
      for (const policy of POLICY_TEMPLATES[template])
        ids.push(await save(uow, profile, actor, policy as unknown as JsonObject));
      return ids;
    },

    async remove(uow: UnitOfWork, profile: Profile, actor: Actor, policyId: string): Promise<void> {
      if (!(await deletePolicy(uow, profile.did, policyId)))
        throw memoryErrors.A2P003({ message: 'There is no such policy.' });
      await tell(uow, profile, {
        type: 'memory.policy_deleted',
        actor,
        payload: { policyId, action: 'deleted' },
        webhook: 'policy.deleted',
        subject: { type: 'policy', id: policyId },
      });
    },

    policies: (reader: Reader, profile: Profile) => selectPolicies(reader, profile.did),

    /** What of the asked scopes the policies give for this purpose; nothing at all is a refusal. */
    async request(
      uow: UnitOfWork,
      profile: Profile,
      caller: Caller,
      asked: { readonly scopes: readonly string[]; readonly purpose: Purpose },
    ): Promise<Receipt> {
      const agent = await agentGrant(uow, profile.did, caller.did, clock.now(), asked.purpose);
      const { granted, denied } = answerScopes(agent.grant, asked.scopes);
      if (granted.length === 0) throw memoryErrors.A2P004();
      await rates.takeOfPolicy(uow, profile.did, caller.did, agent.grant);
      const receipt = await receipts.issue(uow, profile, agent, {
        granted,
        denied,
        purpose: asked.purpose,
        method: 'policy_match',
      });
      await tell(uow, profile, {
        type: 'memory.access_granted',
        actor: caller.actor,
        payload: {
          agentDid: caller.did,
          grantedScopes: [...granted],
          deniedScopes: [...denied],
          consentReceiptId: receipt.receiptId,
        },
        webhook: 'access.granted',
        subject: { type: 'consent', id: receipt.receiptId },
      });
      return receipt;
    },

    /** At once: every receipt is void, and no policy gives anything until the block is lifted. */
    async revoke(uow: UnitOfWork, profile: Profile, actor: Actor, agentDid: string): Promise<number> {
      const at = formatMillis(clock.now());
      const revoked = await revokeReceipts(uow, profile.did, agentDid, at, 'revoked by the owner');
      await setBlock(uow, profile.did, agentDid, at);
      await tell(uow, profile, {
        type: 'memory.access_revoked',
        actor,
        payload: { agentDid, receipts: revoked },
        webhook: 'access.revoked',
        subject: { type: 'consent', id: agentDid },
      });
      return revoked;
    },

    async restore(uow: UnitOfWork, profile: Profile, actor: Actor, agentDid: string): Promise<void> {
      await setBlock(uow, profile.did, agentDid, undefined);
      await tell(uow, profile, { type: 'memory.access_restored', actor, payload: { agentDid } });
    },

    async receipts(reader: Reader, profile: Profile, agentDid: string | undefined, limit: number) {
      const found = await selectReceipts(reader, profile.did, agentDid, limit);
      const documents = [];
      for (const receipt of found) {
        documents.push(
          receiptDocument(receipt, await selectAccesses(reader, receipt.receiptId, LOG_ENTRIES)),
        );
      }
      return documents;
    },
  };
}

/** Always whole: permissions and purpose are there even where the protocol's own examples leave them out. */
export function receiptDocument(receipt: Receipt, log: Awaited<ReturnType<typeof selectAccesses>>) {
  const { purpose } = receipt;
  return {
    receiptId: receipt.receiptId,
    userDid: receipt.profileDid,
    agentDid: receipt.agentDid,
    ...(receipt.operatorDid !== null && { operatorDid: receipt.operatorDid }),
    ...(receipt.policyId !== null &&
      /^policy_[a-zA-Z0-9]+$/.test(receipt.policyId) && { policyId: receipt.policyId }),
    grantedScopes: receipt.granted,
    deniedScopes: receipt.denied,
    permissions: receipt.permissions,
    grantedAt: receipt.grantedAt,
    expiresAt: receipt.expiresAt,
    revokedAt: receipt.revokedAt,
    ...(receipt.revokedReason !== null && { revokedReason: receipt.revokedReason }),
    consentMethod: receipt.consentMethod,
    purpose: {
      type: purpose.type,
      description: purpose.description,
      legalBasis: purpose.legalBasis,
      ...(purpose.dataUses && { dataUses: purpose.dataUses }),
      ...(purpose.retention !== undefined && { retention: purpose.retention }),
      thirdPartySharingApproved: purpose.thirdParties === true,
    },
    legalBasis: purpose.legalBasis,
    proof: { type: 'none' },
    accessLog: log.map(({ at, action, scopes, requestId }) => ({ timestamp: at, action, scopes, requestId })),
  };
}

export function requireObject(value: Json | undefined): JsonObject {
  if (!isJsonObject(value)) throw memoryErrors.A2P006({ message: 'This is an object.', pointer: '' });
  return value;
}
