import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { insertion } from '../../../spine/storage/insertion.ts';
import type { Permission } from './rules/policy.ts';
import type { Purpose } from './rules/purpose.ts';

export interface StoredPolicy {
  readonly policy_id: string;
  /** JSON as the person wrote it. */
  readonly document: string;
}

export async function selectPolicies(reader: Reader, did: string): Promise<StoredPolicy[]> {
  return reader.all<StoredPolicy>(
    'select policy_id, document from memory_policies where profile_did = ? order by position',
    [did],
  );
}

/** True where it is new. */
export async function putPolicy(uow: UnitOfWork, did: string, policy: StoredPolicy): Promise<boolean> {
  const changed = await uow.run(
    'update memory_policies set document = ? where profile_did = ? and policy_id = ?',
    [policy.document, did, policy.policy_id],
  );
  if (changed === 1) return false;
  await uow.run('insert into memory_policies (profile_did, policy_id, document) values (?, ?, ?)', [
    did,
    policy.policy_id,
    policy.document,
  ]);
  return true;
}

export async function deletePolicy(uow: UnitOfWork, did: string, policyId: string): Promise<boolean> {
  return (
    (await uow.run('delete from memory_policies where profile_did = ? and policy_id = ?', [
      did,
      policyId,
    ])) === 1
  );
}

export async function isBlocked(reader: Reader, did: string, agentDid: string): Promise<boolean> {
  const row = await reader.get(
    'select 1 as found from memory_blocks where profile_did = ? and agent_did = ?',
    [did, agentDid],
  );
  return row !== undefined;
}

export async function setBlock(
  uow: UnitOfWork,
  did: string,
  agentDid: string,
  at: string | undefined,
): Promise<void> {
  if (at === undefined) {
    await uow.run('delete from memory_blocks where profile_did = ? and agent_did = ?', [did, agentDid]);
    return;
  }
  await uow.run(
    'insert into memory_blocks (profile_did, agent_did, blocked_at) values (?, ?, ?) on conflict do nothing',
    [did, agentDid, at],
  );
}

export interface Receipt {
  readonly receiptId: string;
  readonly profileDid: string;
  readonly agentDid: string;
  readonly operatorDid: string | null;
  readonly policyId: string | null;
  readonly granted: readonly string[];
  readonly denied: readonly string[];
  readonly permissions: readonly Permission[];
  readonly purpose: Purpose;
  readonly consentMethod: 'policy_match' | 'explicit_grant' | 'one_time' | 'session';
  readonly grantedAt: string;
  readonly expiresAt: string;
  readonly expires: number;
  readonly revokedAt: string | null;
  readonly revokedReason: string | null;
}

interface ReceiptRow {
  readonly receipt_id: string;
  readonly profile_did: string;
  readonly agent_did: string;
  readonly operator_did: string | null;
  readonly policy_id: string | null;
  readonly granted: string;
  readonly denied: string;
  readonly permissions: string;
  readonly purpose: string;
  readonly consent_method: Receipt['consentMethod'];
  readonly granted_at: string;
  readonly expires_at: string;
  readonly expires_us: number;
  readonly revoked_at: string | null;
  readonly revoked_reason: string | null;
}

const RECEIPT = `receipt_id, profile_did, agent_did, operator_did, policy_id, granted, denied, permissions, purpose,
  consent_method, granted_at, expires_at, expires_us, revoked_at, revoked_reason`;

function receiptOf(row: ReceiptRow): Receipt {
  return {
    receiptId: row.receipt_id,
    profileDid: row.profile_did,
    agentDid: row.agent_did,
    operatorDid: row.operator_did,
    policyId: row.policy_id,
    granted: JSON.parse(row.granted),
    denied: JSON.parse(row.denied),
    permissions: JSON.parse(row.permissions),
    purpose: JSON.parse(row.purpose),
    consentMethod: row.consent_method,
    grantedAt: row.granted_at,
    expiresAt: row.expires_at,
    expires: row.expires_us,
    revokedAt: row.revoked_at,
    revokedReason: row.revoked_reason,
  };
}

export async function insertReceipt(uow: UnitOfWork, receipt: Receipt): Promise<void> {
  await uow.run(
    `insert into memory_receipts (${RECEIPT}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      receipt.receiptId,
      receipt.profileDid,
      receipt.agentDid,
      receipt.operatorDid,
      receipt.policyId,
      JSON.stringify(receipt.granted),
      JSON.stringify(receipt.denied),
      JSON.stringify(receipt.permissions),
      JSON.stringify(receipt.purpose),
      receipt.consentMethod,
      receipt.grantedAt,
      receipt.expiresAt,
      receipt.expires,
      receipt.revokedAt,
      receipt.revokedReason,
    ],
  );
}

/** The newest that is neither expired nor revoked. */
export async function selectLiveReceipt(
  reader: Reader,
  did: string,
  agentDid: string,
  now: number,
): Promise<Receipt | undefined> {
  const row = await reader.get<ReceiptRow>(
    `select ${RECEIPT} from memory_receipts
     where profile_did = ? and agent_did = ? and expires_us > ? and revoked_at is null order by seq desc limit 1`,
    [did, agentDid, now],
  );
  return row && receiptOf(row);
}

export async function selectReceipts(
  reader: Reader,
  did: string,
  agentDid: string | undefined,
  limit: number,
  offset = 0,
): Promise<Receipt[]> {
  const rows = await reader.all<ReceiptRow>(
    `select ${RECEIPT} from memory_receipts where profile_did = ?${agentDid === undefined ? '' : ' and agent_did = ?'}
     order by seq desc limit ? offset ?`,
    [did, ...(agentDid === undefined ? [] : [agentDid]), limit, offset],
  );
  return rows.map(receiptOf);
}

export async function revokeReceipts(
  uow: UnitOfWork,
  did: string,
  agentDid: string,
  at: string,
  reason: string,
): Promise<number> {
  return uow.run(
    `update memory_receipts set revoked_at = ?, revoked_reason = ?
     where profile_did = ? and agent_did = ? and revoked_at is null`,
    [at, reason, did, agentDid],
  );
}

export interface Access {
  readonly profileDid: string;
  readonly receiptId: string;
  readonly agentDid: string;
  readonly action: 'read' | 'propose' | 'write';
  readonly scopes: readonly string[];
  readonly requestId: string;
  readonly at: string;
}

const accessItemRows = insertion({
  into: 'memory_access_items',
  columns: ['profile_did', 'memory_id', 'seq'],
});

export async function insertAccess(
  uow: UnitOfWork,
  access: Access,
  memoryIds: readonly string[],
): Promise<void> {
  const row = await uow.get<{ seq: number }>(
    `insert into memory_accesses (profile_did, receipt_id, agent_did, action, scopes, request_id, accessed_at)
     values (?, ?, ?, ?, ?, ?, ?) returning seq`,
    [
      access.profileDid,
      access.receiptId,
      access.agentDid,
      access.action,
      JSON.stringify(access.scopes),
      access.requestId,
      access.at,
    ],
  );
  await accessItemRows.run(
    uow,
    memoryIds.map((memoryId) => [access.profileDid, memoryId, row?.seq ?? 0]),
  );
}

interface AccessRow {
  readonly profile_did: string;
  readonly receipt_id: string;
  readonly agent_did: string;
  readonly action: Access['action'];
  readonly scopes: string;
  readonly request_id: string;
  readonly accessed_at: string;
}

const accessOf = (row: AccessRow): Access => ({
  profileDid: row.profile_did,
  receiptId: row.receipt_id,
  agentDid: row.agent_did,
  action: row.action,
  scopes: JSON.parse(row.scopes),
  requestId: row.request_id,
  at: row.accessed_at,
});

const ACCESS = 'a.profile_did, a.receipt_id, a.agent_did, a.action, a.scopes, a.request_id, a.accessed_at';

export async function selectAccesses(reader: Reader, receiptId: string, limit: number): Promise<Access[]> {
  const rows = await reader.all<AccessRow>(
    `select ${ACCESS} from memory_accesses a where a.receipt_id = ? order by a.seq desc limit ?`,
    [receiptId, limit],
  );
  return rows.map(accessOf).reverse();
}

/** Who was given this memory, when, and under which receipt. */
export async function selectAccessesTo(
  reader: Reader,
  did: string,
  memoryId: string,
  limit: number,
): Promise<(Access & { readonly purpose: Purpose | undefined })[]> {
  const rows = await reader.all<AccessRow & { purpose: string | null }>(
    `select ${ACCESS}, r.purpose from memory_access_items i join memory_accesses a on a.seq = i.seq
     left join memory_receipts r on r.receipt_id = a.receipt_id
     where i.profile_did = ? and i.memory_id = ? order by a.seq desc limit ?`,
    [did, memoryId, limit],
  );
  return rows.map((row) => ({
    ...accessOf(row),
    purpose: row.purpose === null ? undefined : (JSON.parse(row.purpose) as Purpose),
  }));
}
