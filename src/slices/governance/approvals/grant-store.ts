import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, SqlValue, UnitOfWork } from '../../../spine/storage/database.ts';
import type { RiskTier } from '../schema.ts';
import { type Grant, type GrantCovers, isSingle } from './grant-rules.ts';

interface GrantRow {
  readonly approval_id: string;
  readonly project_id: string;
  readonly atlas_id: string;
  readonly atlas_version: string;
  readonly atlas_digest: string;
  readonly policy_id: string;
  readonly agent_id: string;
  readonly bound_agent: string;
  readonly session_id: string | null;
  readonly action_ids: string;
  readonly covers: GrantCovers;
  readonly bound_hash: string | null;
  readonly may_differ: string;
  readonly risk_tier: RiskTier;
  readonly granted_by: string;
  readonly granted_at: string;
  readonly granted_us: number;
  readonly expires_us: number | null;
  readonly agreed_by: string | null;
  readonly revoked_by: string | null;
  readonly revoked_at: string | null;
}

const COLUMNS = `approval_id, project_id, atlas_id, atlas_version, atlas_digest, policy_id, agent_id, bound_agent, session_id,
  action_ids, covers, bound_hash, may_differ, risk_tier, granted_by, granted_at, granted_us, expires_us, agreed_by,
  revoked_by, revoked_at`;

function grantOf(row: GrantRow): KeptGrant {
  return {
    approvalId: row.approval_id,
    projectId: row.project_id,
    atlasId: row.atlas_id,
    atlasVersion: row.atlas_version,
    atlasDigest: row.atlas_digest,
    policyId: row.policy_id,
    agentId: row.agent_id,
    boundAgent: row.bound_agent,
    sessionId: row.session_id,
    actionIds: JSON.parse(row.action_ids),
    covers: row.covers,
    boundHash: row.bound_hash,
    mayDiffer: JSON.parse(row.may_differ),
    riskTier: row.risk_tier,
    grantedBy: row.granted_by,
    grantedAt: row.granted_at,
    granted: row.granted_us,
    expires: row.expires_us,
    agreedBy: row.agreed_by === null ? [] : JSON.parse(row.agreed_by),
    revokedBy: row.revoked_by,
    revokedAt: row.revoked_at,
  };
}

export interface KeptGrant extends Grant {
  readonly revokedBy: string | null;
  readonly revokedAt: string | null;
}

export async function insertGrant(uow: UnitOfWork, grant: Grant): Promise<void> {
  await uow.run(
    `insert into governance_grants (approval_id, project_id, atlas_id, atlas_version, atlas_digest, policy_id, agent_id,
       bound_agent, session_id, action_ids, covers, single, bound_hash, may_differ, risk_tier, granted_by, granted_at, granted_us,
       expires_us, agreed_by)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      grant.approvalId,
      grant.projectId,
      grant.atlasId,
      grant.atlasVersion,
      grant.atlasDigest,
      grant.policyId,
      grant.agentId,
      grant.boundAgent,
      grant.sessionId,
      JSON.stringify(grant.actionIds),
      grant.covers,
      isSingle(grant.covers) ? 1 : 0,
      grant.boundHash,
      JSON.stringify(grant.mayDiffer),
      grant.riskTier,
      grant.grantedBy,
      grant.grantedAt,
      grant.granted,
      grant.expires,
      grant.agreedBy.length > 0 ? JSON.stringify(grant.agreedBy) : null,
    ],
  );
}

export interface GrantHolder {
  readonly projectId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly boundAgent: string;
}

const UNSPENT = `(single = 0 or not exists
  (select 1 from governance_grant_uses where governance_grant_uses.approval_id = governance_grants.approval_id))`;

/** What a session may still use: its own grants, and the rules for its agent. */
export async function selectLiveGrants(reader: Reader, holder: GrantHolder, now: Micros): Promise<Grant[]> {
  const own = await reader.all<GrantRow>(
    `select ${COLUMNS} from governance_grants
     where session_id = ? and expires_us > ? and revoked_at is null and ${UNSPENT} order by granted_us, approval_id`,
    [holder.sessionId, now],
  );
  const rules = await reader.all<GrantRow>(
    `select ${COLUMNS} from governance_grants
     where session_id is null and project_id = ? and bound_agent = ? and agent_id = ? and revoked_at is null
     order by granted_us, approval_id`,
    [holder.projectId, holder.boundAgent, holder.agentId],
  );
  return [...own, ...rules].map(grantOf);
}

/** One use for each policy; the index lets a grant for one call be used once, whoever else is using it. */
export async function insertUse(uow: UnitOfWork, grant: Grant, usedBy: string, now: Micros): Promise<void> {
  await uow.run(
    `insert into governance_grant_uses (used_by, atlas_id, policy_id, approval_id, single, used_us)
     values (?, ?, ?, ?, ?, ?)`,
    [usedBy, grant.atlasId, grant.policyId, grant.approvalId, isSingle(grant.covers) ? 1 : 0, now],
  );
}

export async function selectGrant(reader: Reader, approvalId: string): Promise<KeptGrant | undefined> {
  const row = await reader.get<GrantRow>(`select ${COLUMNS} from governance_grants where approval_id = ?`, [
    approvalId,
  ]);
  return row && grantOf(row);
}

/** The approvals that let an execution pass. */
export async function selectUsed(reader: Reader, usedBy: string): Promise<string[]> {
  const rows = await reader.all<{ approval_id: string }>(
    'select approval_id from governance_grant_uses where used_by = ? order by atlas_id, policy_id',
    [usedBy],
  );
  return rows.map((row) => row.approval_id);
}

/** What passed by these grants: executions, and requests of checks. */
export function selectUsesOf(
  reader: Reader,
  projectId: string,
  approvalIds: readonly string[],
  limit: number,
): Promise<{ readonly approval_id: string; readonly used_by: string }[]> {
  return reader.all(
    `select u.approval_id, u.used_by from governance_grant_uses u
     join governance_grants g on g.approval_id = u.approval_id
     where g.project_id = ? and u.approval_id in (${approvalIds.map(() => '?').join(', ')})
     order by u.used_us, u.used_by limit ?`,
    [projectId, ...approvalIds, limit],
  );
}

/** How often a grant was used, and by what first. */
export async function selectUses(
  reader: Reader,
  approvalId: string,
): Promise<{ readonly uses: number; readonly usedBy: string | null }> {
  const row = await reader.get<{ uses: number }>(
    'select count(*) as uses from governance_grant_uses where approval_id = ?',
    [approvalId],
  );
  const first = await reader.get<{ used_by: string }>(
    'select used_by from governance_grant_uses where approval_id = ? order by used_us, used_by limit 1',
    [approvalId],
  );
  return { uses: Number(row?.uses ?? 0), usedBy: first?.used_by ?? null };
}

export interface GrantFilter {
  readonly projectId: string;
  readonly covers: GrantCovers | undefined;
  /** Also what was used up, has expired or was revoked. */
  readonly all: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly now: Micros;
}

export async function selectGrants(
  reader: Reader,
  filter: GrantFilter,
): Promise<{ readonly grants: KeptGrant[]; readonly total: number }> {
  const where = ['project_id = ?'];
  const params: SqlValue[] = [filter.projectId];
  if (filter.covers !== undefined) {
    where.push('covers = ?');
    params.push(filter.covers);
  }
  if (!filter.all) {
    where.push('revoked_at is null', '(expires_us is null or expires_us > ?)', UNSPENT);
    params.push(filter.now);
  }
  const condition = where.join(' and ');
  const counted = await reader.get<{ count: number }>(
    `select count(*) as count from governance_grants where ${condition}`,
    params,
  );
  const rows = await reader.all<GrantRow>(
    `select ${COLUMNS} from governance_grants where ${condition}
     order by granted_us desc, approval_id limit ? offset ?`,
    [...params, filter.limit, filter.offset],
  );
  return { grants: rows.map(grantOf), total: Number(counted?.count ?? 0) };
}

/** False if it was revoked before. */
export async function markRevoked(
  uow: UnitOfWork,
  approvalId: string,
  revoked: { readonly by: string; readonly at: string },
): Promise<boolean> {
  const changed = await uow.run(
    'update governance_grants set revoked_by = ?, revoked_at = ? where approval_id = ? and revoked_at is null',
    [revoked.by, revoked.at, approvalId],
  );
  return changed === 1;
}
