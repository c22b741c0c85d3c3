import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import type { OtlpSpan } from '../otlp/model.ts';
import { readSpanBody, writeSpanBody } from './body.ts';

export interface OpenSpan {
  readonly projectId: string;
  readonly span: OtlpSpan;
}

/** Says that a span has begun: what is found here after its process is gone was interrupted. */
export async function insertOpenSpan(
  uow: UnitOfWork,
  instanceId: string,
  { projectId, span }: OpenSpan,
  now: Micros,
): Promise<void> {
  await uow.run(
    `insert into relay_open_spans (span_id, project_id, instance_id, body, opened_us) values (?, ?, ?, ?, ?)
      on conflict (span_id) do nothing`,
    [span.spanId, projectId, instanceId, writeSpanBody(span), now],
  );
}

export async function deleteOpenSpan(uow: UnitOfWork, spanId: string): Promise<void> {
  await uow.run('delete from relay_open_spans where span_id = ?', [spanId]);
}

export async function touchInstance(
  uow: UnitOfWork,
  instance: { readonly id: string; readonly host: string; readonly pid: number },
  now: Micros,
): Promise<void> {
  await uow.run(
    `insert into relay_instances (instance_id, host, pid, seen_us) values (?, ?, ?, ?)
      on conflict (instance_id) do update set seen_us = excluded.seen_us`,
    [instance.id, instance.host, instance.pid, now],
  );
}

export interface Instance {
  readonly instance_id: string;
  readonly host: string;
  readonly pid: number;
  readonly seen_us: Micros;
}

export function selectInstances(reader: Reader): Promise<Instance[]> {
  return reader.all<Instance>('select instance_id, host, pid, seen_us from relay_instances');
}

export async function selectOpenSpansOf(
  reader: Reader,
  instanceId: string,
  limit: number,
): Promise<OpenSpan[]> {
  const rows = await reader.all<{ project_id: string; body: string }>(
    'select project_id, body from relay_open_spans where instance_id = ? order by opened_us limit ?',
    [instanceId, limit],
  );
  return rows.map((row) => ({ projectId: row.project_id, span: readSpanBody(row.body) }));
}

export async function deleteInstance(uow: UnitOfWork, instanceId: string): Promise<void> {
  await uow.run('delete from relay_instances where instance_id = ?', [instanceId]);
}
