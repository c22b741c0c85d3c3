import { formatMicros } from '../../../kernel/instant.ts';
import { isOwner, subjectOf } from '../../../spine/identity/access.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { relayErrors } from '../errors.ts';
import type { RelayDeps } from '../ports.ts';
import { selectSpans } from '../spans/store.ts';
import {
  type AnnotationRow,
  deleteAnnotation,
  insertAnnotation,
  MOST_ANNOTATIONS,
  selectAnnotation,
  selectAnnotations,
} from './annotation-store.ts';
import type { AnnotationView, NewAnnotation } from './schema.ts';

export async function annotate(
  uow: UnitOfWork,
  { clock, ids }: Pick<RelayDeps, 'clock' | 'ids'>,
  principal: Principal,
  projectId: string,
  { trace_id, span_id, name, label, score, note }: NewAnnotation,
): Promise<AnnotationView> {
  await uow.lock(`relay:annotations:${projectId}:${trace_id}`);
  const [judged] = await selectSpans(uow, projectId, { traceId: trace_id, spanId: span_id, limit: 1 });
  if (!judged) throw relayErrors.trace_not_found();
  if ((await selectAnnotations(uow, projectId, trace_id)).length >= MOST_ANNOTATIONS)
    throw relayErrors.too_many_annotations();
  const row: AnnotationRow = {
    annotation_id: ids(),
    trace_id,
    span_id: span_id ?? null,
    name,
    label: label ?? null,
    score: score ?? null,
    note: note ?? null,
    made_by: subjectOf(principal.actor),
    created_us: clock.now(),
  };
  await insertAnnotation(uow, projectId, row);
  return annotationView(row);
}

/** Its author's own, or anybody's by the owner. */
export async function removeAnnotation(
  uow: UnitOfWork,
  principal: Principal,
  projectId: string,
  annotationId: string,
): Promise<void> {
  const found = await selectAnnotation(uow, projectId, annotationId);
  if (!found || (found.made_by !== subjectOf(principal.actor) && !isOwner(principal)))
    throw relayErrors.annotation_not_found();
  await deleteAnnotation(uow, projectId, annotationId);
}

export function annotationView({ created_us, ...row }: AnnotationRow): AnnotationView {
  return { ...row, created_at: formatMicros(created_us) };
}
