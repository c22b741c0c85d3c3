import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';

export interface SessionMetric {
  readonly projectId: string;
  readonly sessionId: string;
  readonly client: string;
  readonly metric: string;
  /** What tells this counter from others of its name: model, kind of token, … */
  readonly attributes: Readonly<Record<string, string>>;
  readonly value: number;
  /** A delta is added; anything else is the counter itself. */
  readonly delta: boolean;
  readonly timeMicros: Micros;
}

const MOST_SERIES = 500;

/** A point that is no newer than the last of its series came twice, or too late, and changes nothing. */
export async function addSessionMetric(uow: UnitOfWork, metric: SessionMetric): Promise<void> {
  const { projectId, sessionId } = metric;
  const series = JSON.stringify(Object.entries(metric.attributes).sort(([a], [b]) => (a < b ? -1 : 1)));
  const known = await uow.get<{ n: number }>(
    'select count(*) as n from relay_session_metrics where project_id = ? and session_id = ?',
    [projectId, sessionId],
  );
  if (Number(known?.n ?? 0) >= MOST_SERIES) return;
  await uow.run(
    `insert into relay_session_metrics (project_id, session_id, client, metric, series, value, last_us)
       values (?, ?, ?, ?, ?, ?, ?)
     on conflict (project_id, session_id, metric, series) do update set
       value = ${metric.delta ? 'relay_session_metrics.value + excluded.value' : 'excluded.value'},
       last_us = excluded.last_us where excluded.last_us > relay_session_metrics.last_us`,
    [projectId, sessionId, metric.client, metric.metric, series, metric.value, metric.timeMicros],
  );
}

interface MetricRow {
  client: string;
  metric: string;
  series: string;
  value: number;
}

export async function selectSessionMetrics(reader: Reader, projectId: string, sessionId: string) {
  const rows = await reader.all<MetricRow>(
    `select client, metric, series, value from relay_session_metrics where project_id = ? and session_id = ?
     order by metric, series limit ?`,
    [projectId, sessionId, MOST_SERIES],
  );
  return rows.map(({ series, ...row }) => ({
    ...row,
    attributes: Object.fromEntries(JSON.parse(series) as [string, string][]),
  }));
}

export async function pruneSessionMetrics(uow: UnitOfWork, before: Micros): Promise<void> {
  await uow.run('delete from relay_session_metrics where last_us < ?', [before]);
}
