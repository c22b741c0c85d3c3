import type { Micros } from '../../../kernel/clock.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import type { PayloadCodec } from '../../../spine/journal/events/payload-codec.ts';
import type { Reader, SqlValue, UnitOfWork } from '../../../spine/storage/database.ts';
import type { RiskTier } from '../schema.ts';
import type { ApprovalView } from './schema.ts';

export interface Approval {
  /** The id of its inbox item. */
  readonly approvalId: string;
  readonly projectId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly resolutionId: string | null;
  readonly actionIds: readonly string[];
  readonly policyId: string;
  /** Globs on actor ids; null lets everyone with the scope decide. */
  readonly approvers: readonly string[] | null;
  readonly reason: string;
  readonly riskTier: RiskTier;
  readonly goal: string;
  /** Every call of its actions in the session, or only the one that asked. */
  readonly covers: 'session' | 'call';
  /** Parameters of the call that asked, as a person may see them; null if no call did. */
  readonly parameters: JsonObject | null;
  /** Hash of the same parameters as they were sent. */
  readonly parametersHash: string | null;
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
}

interface ApprovalRow {
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
  readonly covers: Approval['covers'];
  readonly parameters: string | null;
  readonly parameters_hash: string | null;
  readonly asked_us: number | null;
  readonly status: Approval['status'];
  readonly requested_at: string;
  readonly requested_us: number;
  readonly expires_at: string;
  readonly expires_us: number;
  readonly approver: string | null;
  readonly decided_at: string | null;
  readonly decision_reason: string | null;
}

const COLUMNS = `approval_id, project_id, session_id, agent_id, resolution_id, action_ids, policy_id, approvers, reason,
  risk_tier, goal, covers, parameters, parameters_hash, asked_us, status, requested_at, requested_us, expires_at, expires_us, approver, decided_at,
  decision_reason`;

function approvalOf(row: ApprovalRow, payloads: PayloadCodec): Approval {
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
    covers: row.covers,
    parameters:
      row.parameters === null
        ? null
        : (readJson(payloads.open(row.parameters, row.approval_id)) as JsonObject),
    parametersHash: row.parameters_hash,
    asked: row.asked_us,
    status: row.status,
    requestedAt: row.requested_at,
    requested: row.requested_us,
    expiresAt: row.expires_at,
    expires: row.expires_us,
    approver: row.approver,
    decidedAt: row.decided_at,
    decisionReason: row.decision_reason,
  };
}

export async function insertApproval(
  uow: UnitOfWork,
  payloads: PayloadCodec,
  approval: Approval,
): Promise<void> {
  await uow.run(
    `insert into governance_approvals (${COLUMNS})
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      approval.covers,
      sealed(approval, payloads),
      approval.parametersHash,
      approval.asked,
      approval.status,
      approval.requestedAt,
      approval.requested,
      approval.expiresAt,
      approval.expires,
      approval.approver,
      approval.decidedAt,
      approval.decisionReason,
    ],
  );
}

function sealed({ approvalId, parameters }: Approval, payloads: PayloadCodec): string | null {
  return parameters === null ? null : payloads.seal(writeJson(parameters), approvalId);
}

/** Records that a person is asked from now on, about the call if there is one. */
export async function markAsked(uow: UnitOfWork, payloads: PayloadCodec, approval: Approval): Promise<void> {
  await uow.run(
    `update governance_approvals set asked_us = ?, parameters = ?, parameters_hash = ?, expires_at = ?, expires_us = ?
     where approval_id = ? and asked_us is null`,
    [
      approval.asked,
      sealed(approval, payloads),
      approval.parametersHash,
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
    `select ${COLUMNS} from governance_approvals where approval_id = ?`,
    [approvalId],
  );
  return row && approvalOf(row, payloads);
}

/** The approvals of a session that are offered, open or granted at this moment. */
export async function selectLiveApprovals(
  reader: Reader,
  payloads: PayloadCodec,
  sessionId: string,
  now: Micros,
): Promise<Approval[]> {
  const rows = await reader.all<ApprovalRow>(
    `select ${COLUMNS} from governance_approvals
     where session_id = ? and status in ('pending', 'approved') and expires_us > ? order by requested_us`,
    [sessionId, now],
  );
  return rows.map((row) => approvalOf(row, payloads));
}

export interface ApprovalFilter {
  readonly projectId: string;
  readonly status: ApprovalView['status'] | undefined;
  readonly limit: number;
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
): Promise<Approval[]> {
  const where = ['project_id = ?'];
  const params: SqlValue[] = [filter.projectId];
  if (filter.status !== undefined) {
    const { condition, timed } = IN_STATUS[filter.status];
    where.push(condition);
    if (timed) params.push(filter.now);
  }
  const rows = await reader.all<ApprovalRow>(
    `select ${COLUMNS} from governance_approvals where ${where.join(' and ')}
     order by requested_us desc, approval_id limit ?`,
    [...params, filter.limit],
  );
  return rows.map((row) => approvalOf(row, payloads));
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

/** The newest approvals of a session that may have allowed a call. */
export async function selectApprovedBefore(
  reader: Reader,
  call: { readonly sessionId: string; readonly started: Micros; readonly parametersHash: string },
): Promise<Pick<Approval, 'approvalId' | 'actionIds'>[]> {
  const rows = await reader.all<{ approval_id: string; action_ids: string }>(
    `select approval_id, action_ids from governance_approvals
     where session_id = ? and status = 'approved' and requested_us <= ?
       and (covers = 'session' or parameters_hash = ?)
     order by requested_us desc limit 20`,
    [call.sessionId, call.started, call.parametersHash],
  );
  return rows.map((row) => ({ approvalId: row.approval_id, actionIds: JSON.parse(row.action_ids) }));
}
