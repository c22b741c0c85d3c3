import type { Micros } from '../../kernel/clock.ts';
import type { Reader, SqlValue, UnitOfWork } from '../../storage/database.ts';
import type { ApprovalView } from '../schema/carp.ts';
import type { RiskTier } from '../schema/text.ts';

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
  /** Set where only a call with exactly these parameters was asked about. */
  readonly parametersHash: string | null;
  readonly status: ApprovalView['status'];
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
  readonly parameters_hash: string | null;
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
  risk_tier, goal, parameters_hash, status, requested_at, requested_us, expires_at, expires_us, approver, decided_at,
  decision_reason`;

function approvalOf(row: ApprovalRow): Approval {
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
    parametersHash: row.parameters_hash,
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

/** The same question asked again keeps its first row. */
export async function insertApproval(uow: UnitOfWork, approval: Approval): Promise<void> {
  await uow.run(
    `insert into governance_approvals (${COLUMNS})
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
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
      approval.parametersHash,
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

export async function selectApproval(reader: Reader, approvalId: string): Promise<Approval | undefined> {
  const row = await reader.get<ApprovalRow>(
    `select ${COLUMNS} from governance_approvals where approval_id = ?`,
    [approvalId],
  );
  return row && approvalOf(row);
}

/** What stands open or granted for a session at this moment. */
export async function selectLiveApprovals(
  reader: Reader,
  sessionId: string,
  now: Micros,
): Promise<Approval[]> {
  const rows = await reader.all<ApprovalRow>(
    `select ${COLUMNS} from governance_approvals
     where session_id = ? and status in ('pending', 'approved') and expires_us > ? order by requested_us`,
    [sessionId, now],
  );
  return rows.map(approvalOf);
}

export interface ApprovalFilter {
  readonly projects: readonly string[];
  readonly status: Approval['status'] | undefined;
  readonly limit: number;
  readonly now: Micros;
}

export async function selectApprovals(reader: Reader, filter: ApprovalFilter): Promise<Approval[]> {
  if (filter.projects.length === 0) return [];
  const where = [`project_id in (${filter.projects.map(() => '?').join(', ')})`];
  const params: SqlValue[] = [...filter.projects];
  if (filter.status === 'expired') {
    where.push(`(status = 'expired' or (status = 'pending' and expires_us <= ?))`);
    params.push(filter.now);
  } else if (filter.status !== undefined) {
    where.push(`status = ?${filter.status === 'pending' ? ' and expires_us > ?' : ''}`);
    params.push(filter.status, ...(filter.status === 'pending' ? [filter.now] : []));
  }
  const rows = await reader.all<ApprovalRow>(
    `select ${COLUMNS} from governance_approvals where ${where.join(' and ')}
     order by requested_us desc, approval_id limit ?`,
    [...params, filter.limit],
  );
  return rows.map(approvalOf);
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
