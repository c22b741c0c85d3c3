import type { Micros } from '../../../kernel/clock.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import type { Actor, ActorType } from '../../../spine/identity/principal.ts';
import type { PayloadCodec } from '../../../spine/journal/events/payload-codec.ts';
import type { Reader, SqlValue, UnitOfWork } from '../../../spine/storage/database.ts';
import type { RiskTier } from '../schema.ts';
import { editedOf } from '../sealed.ts';
import type { GrantCovers } from './grant-rules.ts';
import type { ApprovalView } from './schema.ts';

export interface ApprovalAtlas {
  readonly atlasId: string;
  readonly version: string;
  readonly digest: string;
}

export interface Approval {
  /** The id of its inbox item. */
  readonly approvalId: string;
  readonly projectId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly resolutionId: string | null;
  readonly actionIds: readonly string[];
  /** Of which Atlas in which version the policy is; null for what was asked before that was kept. */
  readonly atlas: ApprovalAtlas | null;
  readonly policyId: string;
  /** Globs on actor ids; null lets everyone with the scope decide. */
  readonly approvers: readonly string[] | null;
  readonly reason: string;
  readonly riskTier: RiskTier;
  readonly goal: string;
  /** Paths of parameters that the policy lets differ from those shown. */
  readonly mayDiffer: readonly string[];
  /** How much a person may approve, the least first. */
  readonly permits: readonly GrantCovers[];
  /** Parameters of the call that asked, as a person may see them; null if no call did. */
  readonly parameters: JsonObject | null;
  /** Hash of the same parameters as they were sent. */
  readonly parametersHash: string | null;
  /** The same without the parameters that may differ: what tells one question from another. */
  readonly boundHash: string | null;
  /** The actor of the credential that asked, and the credential; null for what was asked before they were kept. */
  readonly requestedBy: Actor | null;
  readonly requestedWith: string | null;
  /** Null until somebody is asked: a resolution only says that somebody would have to be. */
  readonly asked: Micros | null;
  readonly status: Exclude<ApprovalView['status'], 'offered'>;
  readonly requestedAt: string;
  readonly requested: Micros;
  readonly expiresAt: string;
  readonly expires: Micros;
  readonly approver: string | null;
  readonly decidedAt: string | null;
  readonly decisionReason: string | null;
  /** How many people have to agree. */
  readonly quorum: number;
  /** What was approved instead of the parameters that were asked, with its hash. */
  readonly edited: EditedParameters | null;
}

export interface EditedParameters {
  readonly parameters: JsonObject;
  readonly hash: string;
}

export interface ApprovalRow {
  readonly approval_id: string;
  readonly project_id: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly resolution_id: string | null;
  readonly action_ids: string;
  readonly policy_id: string;
  readonly approvers: string | null;
  readonly reason: string;
  readonly risk_tier: RiskTier;
  readonly goal: string;
  readonly atlas_id: string | null;
  readonly atlas_version: string | null;
  readonly atlas_digest: string | null;
  readonly may_differ: string;
  readonly permits: string;
  readonly parameters: string | null;
  readonly parameters_hash: string | null;
  readonly bound_hash: string | null;
  readonly requested_by: string | null;
  readonly requested_by_type: ActorType | null;
  readonly requested_with: string | null;
  readonly asked_us: number | null;
  readonly status: Approval['status'];
  readonly requested_at: string;
  readonly requested_us: number;
  readonly expires_at: string;
  readonly expires_us: number;
  readonly approver: string | null;
  readonly decided_at: string | null;
  readonly decision_reason: string | null;
  readonly quorum: number | null;
  readonly edited_parameters: string | null;
  readonly edited_hash: string | null;
}

export const APPROVAL_COLUMNS = `approval_id, project_id, session_id, agent_id, resolution_id, action_ids, policy_id, approvers, reason,
  risk_tier, goal, atlas_id, atlas_version, atlas_digest, may_differ, permits, parameters, parameters_hash, bound_hash,
  requested_by, requested_by_type, requested_with, asked_us, status, requested_at, requested_us, expires_at, expires_us,
  approver, decided_at, decision_reason, quorum, edited_parameters, edited_hash`;

export function approvalOf(row: ApprovalRow, payloads: PayloadCodec): Approval {
  return {
    approvalId: row.approval_id,
    projectId: row.project_id,
    sessionId: row.session_id,
    agentId: row.agent_id,
    resolutionId: row.resolution_id,
    actionIds: JSON.parse(row.action_ids),
    policyId: row.policy_id,
    approvers: row.approvers === null ? null : JSON.parse(row.approvers),
    reason: row.reason,
    riskTier: row.risk_tier,
    goal: row.goal,
    atlas: atlasOf(row),
    mayDiffer: JSON.parse(row.may_differ),
    permits: permitsOf(row),
    parameters:
      row.parameters === null
        ? null
        : (readJson(payloads.open(row.parameters, row.approval_id)) as JsonObject),
    parametersHash: row.parameters_hash,
    boundHash: row.bound_hash,
    requestedBy:
      row.requested_by === null ? null : { id: row.requested_by, type: row.requested_by_type ?? 'agent' },
    requestedWith: row.requested_with,
    asked: row.asked_us,
    status: row.status,
    requestedAt: row.requested_at,
    requested: row.requested_us,
    expiresAt: row.expires_at,
    expires: row.expires_us,
    approver: row.approver,
    decidedAt: row.decided_at,
    decisionReason: row.decision_reason,
    quorum: row.quorum ?? 1,
    edited: editedIn(row, payloads),
  };
}

function editedIn(row: ApprovalRow, payloads: PayloadCodec): EditedParameters | null {
  const { approval_id: id, edited_parameters: text, edited_hash: hash } = row;
  if (text === null || hash === null) return null;
  return { parameters: readJson(payloads.open(text, editedOf(id))) as JsonObject, hash };
}

function atlasOf(row: ApprovalRow): ApprovalAtlas | null {
  const { atlas_id: atlasId, atlas_version: version, atlas_digest: digest } = row;
  return atlasId === null || version === null || digest === null ? null : { atlasId, version, digest };
}

/** What was asked before choices were kept is granted once. */
function permitsOf({ permits, bound_hash: bound }: ApprovalRow): GrantCovers[] {
  const kept = JSON.parse(permits) as GrantCovers[];
  return kept.length > 0 ? kept : [bound === null ? 'action' : 'call'];
}

export async function insertApproval(
  uow: UnitOfWork,
  payloads: PayloadCodec,
  approval: Approval,
): Promise<void> {
  await uow.run(
    `insert into governance_approvals (${APPROVAL_COLUMNS})
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, null, null)`,
    [
      approval.approvalId,
      approval.projectId,
      approval.sessionId,
      approval.agentId,
      approval.resolutionId,
      JSON.stringify(approval.actionIds),
      approval.policyId,
      approval.approvers === null ? null : JSON.stringify(approval.approvers),
      approval.reason,
      approval.riskTier,
      approval.goal,
      approval.atlas?.atlasId ?? null,
      approval.atlas?.version ?? null,
      approval.atlas?.digest ?? null,
      JSON.stringify(approval.mayDiffer),
      JSON.stringify(approval.permits),
      sealed(approval, payloads),
      approval.parametersHash,
      approval.boundHash,
      approval.requestedBy?.id ?? null,
      approval.requestedBy?.type ?? null,
      approval.requestedWith,
      approval.asked,
      approval.status,
      approval.requestedAt,
      approval.requested,
      approval.expiresAt,
      approval.expires,
      approval.approver,
      approval.decidedAt,
      approval.decisionReason,
      approval.quorum > 1 ? approval.quorum : null,
    ],
  );
}

function sealed({ approvalId, parameters }: Approval, payloads: PayloadCodec): string | null {
  return parameters === null ? null : payloads.seal(writeJson(parameters), approvalId);
}

/** Records that a person is asked from now on, about the call if there is one. */
export async function markAsked(uow: UnitOfWork, payloads: PayloadCodec, approval: Approval): Promise<void> {
  await uow.run(
    `update governance_approvals set asked_us = ?, parameters = ?, parameters_hash = ?, bound_hash = ?, permits = ?,
       requested_by = ?, requested_by_type = ?, requested_with = ?, expires_at = ?, expires_us = ?
     where approval_id = ? and asked_us is null`,
    [
      approval.asked,
      sealed(approval, payloads),
      approval.parametersHash,
      approval.boundHash,
      JSON.stringify(approval.permits),
      approval.requestedBy?.id ?? null,
      approval.requestedBy?.type ?? null,
      approval.requestedWith,
      approval.expiresAt,
      approval.expires,
      approval.approvalId,
    ],
  );
}

export async function selectApproval(
  reader: Reader,
  payloads: PayloadCodec,
  approvalId: string,
): Promise<Approval | undefined> {
  const row = await reader.get<ApprovalRow>(
    `select ${APPROVAL_COLUMNS} from governance_approvals where approval_id = ?`,
    [approvalId],
  );
  return row && approvalOf(row, payloads);
}

/** The approvals of a session that are offered or open at this moment. */
export async function selectOpenApprovals(
  reader: Reader,
  payloads: PayloadCodec,
  sessionId: string,
  now: Micros,
): Promise<Approval[]> {
  const rows = await reader.all<ApprovalRow>(
    `select ${APPROVAL_COLUMNS} from governance_approvals
     where session_id = ? and status = 'pending' and expires_us > ? order by requested_us`,
    [sessionId, now],
  );
  return rows.map((row) => approvalOf(row, payloads));
}

/** Records what was approved instead, once. */
export async function insertEdited(
  uow: UnitOfWork,
  payloads: PayloadCodec,
  approvalId: string,
  { parameters, hash }: EditedParameters,
): Promise<void> {
  await uow.run(
    `update governance_approvals set edited_parameters = ?, edited_hash = ?
     where approval_id = ? and edited_hash is null`,
    [payloads.seal(writeJson(parameters), editedOf(approvalId)), hash, approvalId],
  );
}

/** The approvals of exactly this call that a person gave for other parameters, the newest first. */
export async function selectEdited(
  reader: Reader,
  payloads: PayloadCodec,
  call: { readonly sessionId: string; readonly actionId: string; readonly parametersHash: string },
  now: Micros,
): Promise<Approval[]> {
  const rows = await reader.all<ApprovalRow>(
    `select ${APPROVAL_COLUMNS} from governance_approvals
     where session_id = ? and status = 'approved' and parameters_hash = ? and edited_hash is not null and expires_us > ?
     order by requested_us desc`,
    [call.sessionId, call.parametersHash, now],
  );
  return rows
    .map((row) => approvalOf(row, payloads))
    .filter((each) => each.actionIds.includes(call.actionId));
}

/** The newest refusal of exactly this call that still counts: until the question would have expired. */
export async function selectRefusal(
  reader: Reader,
  payloads: PayloadCodec,
  call: { readonly sessionId: string; readonly actionId: string; readonly parametersHash: string },
  now: Micros,
): Promise<Approval | undefined> {
  const rows = await reader.all<ApprovalRow>(
    `select ${APPROVAL_COLUMNS} from governance_approvals
     where session_id = ? and status = 'rejected' and parameters_hash = ? and expires_us > ?
     order by requested_us desc`,
    [call.sessionId, call.parametersHash, now],
  );
  return rows.map((row) => approvalOf(row, payloads)).find((each) => each.actionIds.includes(call.actionId));
}

/** The open ones of all sessions of an agent. */
export async function selectOpenApprovalsOf(
  reader: Reader,
  payloads: PayloadCodec,
  agent: { readonly projectId: string; readonly agentId: string },
  now: Micros,
): Promise<Approval[]> {
  const rows = await reader.all<ApprovalRow>(
    `select ${APPROVAL_COLUMNS} from governance_approvals
     where project_id = ? and agent_id = ? and status = 'pending' and expires_us > ? order by requested_us`,
    [agent.projectId, agent.agentId, now],
  );
  return rows.map((row) => approvalOf(row, payloads));
}

export interface ApprovalFilter {
  readonly projectId: string;
  readonly status: ApprovalView['status'] | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly now: Micros;
}

/** An offer lapses silently. A question that nobody answered in time has expired, whether it was swept yet or not. */
const IN_STATUS: Readonly<Record<ApprovalView['status'], { condition: string; timed: boolean }>> = {
  offered: { condition: `status = 'pending' and asked_us is null and expires_us > ?`, timed: true },
  pending: { condition: `status = 'pending' and asked_us is not null and expires_us > ?`, timed: true },
  expired: {
    condition: `(status = 'expired' or (status = 'pending' and asked_us is not null and expires_us <= ?))`,
    timed: true,
  },
  approved: { condition: `status = 'approved'`, timed: false },
  rejected: { condition: `status = 'rejected'`, timed: false },
};

export async function selectApprovals(
  reader: Reader,
  payloads: PayloadCodec,
  filter: ApprovalFilter,
): Promise<{ readonly approvals: Approval[]; readonly total: number }> {
  const where = ['project_id = ?'];
  const params: SqlValue[] = [filter.projectId];
  if (filter.status !== undefined) {
    const { condition, timed } = IN_STATUS[filter.status];
    where.push(condition);
    if (timed) params.push(filter.now);
  }
  const condition = where.join(' and ');
  const counted = await reader.get<{ count: number }>(
    `select count(*) as count from governance_approvals where ${condition}`,
    params,
  );
  const rows = await reader.all<ApprovalRow>(
    `select ${APPROVAL_COLUMNS} from governance_approvals where ${condition}
     order by requested_us desc, approval_id limit ? offset ?`,
    [...params, filter.limit, filter.offset],
  );
  return { approvals: rows.map((row) => approvalOf(row, payloads)), total: Number(counted?.count ?? 0) };
}

export async function closeApproval(
  uow: UnitOfWork,
  approvalId: string,
  close: {
    readonly status: 'approved' | 'rejected' | 'expired';
    readonly approver: string | null;
    readonly decidedAt: string;
    readonly reason: string | null;
  },
): Promise<boolean> {
  const changed = await uow.run(
    `update governance_approvals set status = ?, approver = ?, decided_at = ?, decision_reason = ?
     where approval_id = ? and status = 'pending'`,
    [close.status, close.approver, close.decidedAt, close.reason, approvalId],
  );
  return changed === 1;
}

/** Whose session an approval is asked in. */
export async function selectApprovalSession(
  reader: Reader,
  projectId: string,
  approvalId: string,
): Promise<string | undefined> {
  const row = await reader.get<{ session_id: string }>(
    'select session_id from governance_approvals where approval_id = ? and project_id = ?',
    [approvalId, projectId],
  );
  return row?.session_id;
}
