import type { Micros } from '../../../kernel/clock.ts';
import type { PayloadCodec } from '../../../spine/journal/events/payload-codec.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import type { RiskTier } from '../schema.ts';
import { APPROVAL_COLUMNS, type Approval, type ApprovalRow, approvalOf } from './store.ts';

/** What like requests have in common: one agent, one action, one rule of one Atlas, one risk. */
export interface ApprovalKind {
  readonly projectId: string;
  readonly atlasId: string;
  readonly policyId: string;
  readonly agentId: string;
  readonly actionId: string;
  readonly riskTier: RiskTier;
}

/** The kinds of which one person approved at least so many since an instant, the most frequent first. */
export async function selectOftenApproved(
  reader: Reader,
  asked: {
    readonly approver: string;
    readonly since: string;
    readonly atLeast: number;
    readonly projects: 'all' | readonly string[];
    readonly limit: number;
  },
): Promise<ApprovalKind[]> {
  const { projects } = asked;
  if (projects !== 'all' && projects.length === 0) return [];
  const within = projects === 'all' ? '' : ` and project_id in (${projects.map(() => '?').join(', ')})`;
  const rows = await reader.all<
    Pick<ApprovalRow, 'project_id' | 'policy_id' | 'agent_id' | 'action_ids' | 'risk_tier'> & {
      readonly atlas_id: string;
    }
  >(
    `select project_id, atlas_id, policy_id, agent_id, action_ids, risk_tier from governance_approvals
     where approver = ? and status = 'approved' and decided_at >= ? and atlas_id is not null
       and parameters is not null and quorum is null${within}
     group by project_id, atlas_id, policy_id, agent_id, action_ids, risk_tier having count(*) >= ?
     order by count(*) desc, project_id, policy_id, agent_id, action_ids limit ?`,
    [asked.approver, asked.since, ...(projects === 'all' ? [] : projects), asked.atLeast, asked.limit],
  );
  return rows.flatMap((row) => {
    const [actionId, ...others] = JSON.parse(row.action_ids) as string[];
    if (actionId === undefined || others.length > 0) return [];
    return [
      {
        projectId: row.project_id,
        atlasId: row.atlas_id,
        policyId: row.policy_id,
        agentId: row.agent_id,
        actionId,
        riskTier: row.risk_tier,
      },
    ];
  });
}

export interface OfKind {
  readonly since: Micros;
  readonly limit: number;
  /** Only what was refused, or approved with other parameters. */
  readonly exceptions?: boolean;
}

/** Whatever was asked of one kind with its parameters, by anybody, the newest first. */
export async function selectOfKind(
  reader: Reader,
  payloads: PayloadCodec,
  kind: ApprovalKind,
  { since, limit, exceptions = false }: OfKind,
): Promise<Approval[]> {
  const rows = await reader.all<ApprovalRow>(
    `select ${APPROVAL_COLUMNS} from governance_approvals
     where project_id = ? and policy_id = ? and agent_id = ? and requested_us >= ? and atlas_id = ? and action_ids = ?
       and risk_tier = ? and parameters is not null${exceptions ? " and (status = 'rejected' or edited_hash is not null)" : ''}
     order by requested_us desc, approval_id limit ?`,
    [
      kind.projectId,
      kind.policyId,
      kind.agentId,
      since,
      kind.atlasId,
      JSON.stringify([kind.actionId]),
      kind.riskTier,
      limit,
    ],
  );
  return rows.map((row) => approvalOf(row, payloads));
}
