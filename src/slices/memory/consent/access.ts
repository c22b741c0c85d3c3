import { formatMillis } from '../../../kernel/instant.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { memoryErrors } from '../errors.ts';
import { recordEvent } from '../events.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Caller } from '../profile-access.ts';
import type { Profile } from '../profiles/store.ts';
import { takeOfPolicy } from '../rate-limits.ts';
import { agentGrant } from './grants.ts';
import { issueReceipt } from './receipts.ts';
import { answerScopes } from './rules/grant.ts';
import type { Purpose } from './rules/purpose.ts';
import { type Receipt, revokeReceipts, selectAccesses, selectReceipts, setBlock } from './store.ts';

const LOG_ENTRIES = 100;

export interface AccessRequest {
  readonly scopes: readonly string[];
  readonly purpose: Purpose;
}

/** Grants whatever part of the scopes the policies allow for this purpose; throws where that is nothing. */
export async function requestAccess(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  caller: Caller,
  { scopes, purpose }: AccessRequest,
): Promise<Receipt> {
  const agent = await agentGrant(uow, profile.did, caller.did, deps.clock.now(), purpose);
  const { granted, denied } = answerScopes(agent.grant, scopes);
  if (granted.length === 0) {
    throw memoryErrors.A2P004({ next: 'Ask the person to add a policy that lets you read these scopes.' });
  }
  await takeOfPolicy(uow, deps, profile.did, caller.did, agent.grant);
  const receipt = await issueReceipt(uow, deps, profile, agent, { granted, denied, purpose });
  await recordEvent(uow, deps, profile, {
    type: 'memory.access_granted',
    actor: caller.actor,
    payload: {
      agentDid: caller.did,
      consentReceiptId: receipt.receiptId,
    },
    toPerson: { grantedScopes: [...granted], deniedScopes: [...denied] },
    webhook: 'access.granted',
    subject: { type: 'consent', id: receipt.receiptId },
  });
  return receipt;
}

/** Effective at once: every receipt is void, and no policy grants the agent anything until access is restored. */
export async function revokeAccess(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  agentDid: string,
): Promise<void> {
  const at = formatMillis(deps.clock.now());
  const receipts = await revokeReceipts(uow, profile.did, agentDid, at, 'revoked by the owner');
  await setBlock(uow, profile.did, agentDid, at);
  await recordEvent(uow, deps, profile, {
    type: 'memory.access_revoked',
    actor,
    payload: { agentDid, receipts },
    webhook: 'access.revoked',
    subject: { type: 'consent', id: agentDid },
  });
}

/** Lets policies grant the agent access again; receipts that were revoked stay so. */
export async function restoreAccess(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  agentDid: string,
): Promise<void> {
  await setBlock(uow, profile.did, agentDid, undefined);
  await recordEvent(uow, deps, profile, { type: 'memory.access_restored', actor, payload: { agentDid } });
}

/** The newest receipts of one agent, or of all, each with its access log. */
export async function listReceipts(
  reader: Reader,
  profile: Profile,
  agentDid: string | undefined,
  limit: number,
  offset?: number | undefined,
) {
  const documents = [];
  for (const receipt of await selectReceipts(reader, profile.did, agentDid, limit, offset)) {
    documents.push(receiptDocument(receipt, await selectAccesses(reader, receipt.receiptId, LOG_ENTRIES)));
  }
  return documents;
}

/** Always complete: it has permissions and a purpose even where the protocol's own examples leave them out. */
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
