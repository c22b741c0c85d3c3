import type { Reader, SqlValue, UnitOfWork } from '../../../spine/storage/database.ts';

/** A step of a call that a rule denied or wanted asked, or would have. */
export interface Decision {
  readonly decisionId: string;
  readonly projectId: string;
  readonly sessionId: string;
  readonly callKey: string;
  readonly at: string;
  readonly atMicros: number;
  readonly tool: string;
  readonly actionId: string;
  /** `allow` where the Atlas only logs. */
  readonly effect: 'allow' | 'deny' | 'ask';
  readonly verdict: 'deny' | 'ask';
  readonly policyId: string;
  readonly atlasId: string;
  readonly atlasVersion: string;
  readonly reason: string;
  /** What it was about, in one line. */
  readonly shown: string;
  readonly askedIn: 'client' | 'inbox' | null;
  /** Whether the client reported that it ran. */
  readonly ran: boolean | null;
}

interface Row {
  readonly decision_id: string;
  readonly project_id: string;
  readonly session_id: string;
  readonly call_key: string;
  readonly at: string;
  readonly at_us: number;
  readonly tool: string;
  readonly action_id: string;
  readonly effect: Decision['effect'];
  readonly verdict: Decision['verdict'];
  readonly policy_id: string;
  readonly atlas_id: string;
  readonly atlas_version: string;
  readonly reason: string;
  readonly shown: string;
  readonly asked_in: Decision['askedIn'];
  readonly ran: number | null;
}

const COLUMNS = `decision_id, project_id, session_id, call_key, at, at_us, tool, action_id, effect, verdict, policy_id,
  atlas_id, atlas_version, reason, shown, asked_in, ran`;

export async function insertDecision(uow: UnitOfWork, decision: Decision): Promise<void> {
  const values: SqlValue[] = [
    decision.decisionId,
    decision.projectId,
    decision.sessionId,
    decision.callKey,
    decision.at,
    decision.atMicros,
    decision.tool,
    decision.actionId,
    decision.effect,
    decision.verdict,
    decision.policyId,
    decision.atlasId,
    decision.atlasVersion,
    decision.reason,
    decision.shown,
    decision.askedIn,
    decision.ran === null ? null : decision.ran ? 1 : 0,
  ];
  await uow.run(
    `insert into agent_decisions (${COLUMNS}) values (${values.map(() => '?').join(', ')})`,
    values,
  );
}

/** Returns how many questions to the client this answers. */
export async function markRan(uow: UnitOfWork, sessionId: string, callKey: string): Promise<number> {
  return uow.run(
    `update agent_decisions set ran = 1 where session_id = ? and call_key = ? and asked_in = 'client' and ran is null`,
    [sessionId, callKey],
  );
}

export interface DecisionFilter {
  readonly projectId: string;
  readonly sinceMicros: number;
  readonly verdict?: Decision['verdict'] | undefined;
  /** Only what held, or only what was logged. */
  readonly enforced?: boolean | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function selectDecisions(reader: Reader, filter: DecisionFilter): Promise<Decision[]> {
  const where = ['project_id = ?', 'at_us >= ?'];
  const params: SqlValue[] = [filter.projectId, filter.sinceMicros];
  if (filter.verdict !== undefined) {
    where.push('verdict = ?');
    params.push(filter.verdict);
  }
  if (filter.enforced !== undefined) where.push(filter.enforced ? `effect <> 'allow'` : `effect = 'allow'`);
  const rows = await reader.all<Row>(
    `select ${COLUMNS} from agent_decisions where ${where.join(' and ')} order by at_us desc, decision_id desc limit ?`,
    [...params, filter.limit],
  );
  return rows.map((row) => ({
    decisionId: row.decision_id,
    projectId: row.project_id,
    sessionId: row.session_id,
    callKey: row.call_key,
    at: row.at,
    atMicros: row.at_us,
    tool: row.tool,
    actionId: row.action_id,
    effect: row.effect,
    verdict: row.verdict,
    policyId: row.policy_id,
    atlasId: row.atlas_id,
    atlasVersion: row.atlas_version,
    reason: row.reason,
    shown: row.shown,
    askedIn: row.asked_in,
    ran: row.ran === null ? null : row.ran === 1,
  }));
}

/** How many decisions there were since, by verdict and by whether they held. */
export async function countDecisions(
  reader: Reader,
  projectId: string,
  sinceMicros: number,
): Promise<{ readonly verdict: Decision['verdict']; readonly enforced: boolean; readonly count: number }[]> {
  const rows = await reader.all<{ verdict: Decision['verdict']; held: number; total: number }>(
    `select verdict, case when effect = 'allow' then 0 else 1 end as held, count(*) as total from agent_decisions
     where project_id = ? and at_us >= ? group by verdict, held order by verdict, held`,
    [projectId, sinceMicros],
  );
  return rows.map(({ verdict, held, total }) => ({
    verdict,
    enforced: Number(held) === 1,
    count: Number(total),
  }));
}
