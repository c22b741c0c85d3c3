import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';

export interface AnnotationRow {
  readonly annotation_id: string;
  readonly trace_id: string;
  readonly span_id: string | null;
  readonly name: string;
  readonly label: string | null;
  readonly score: number | null;
  readonly note: string | null;
  readonly made_by: string;
  readonly created_us: number;
}

export const MOST_ANNOTATIONS = 200;

export async function insertAnnotation(
  uow: UnitOfWork,
  projectId: string,
  row: AnnotationRow,
): Promise<void> {
  await uow.run(
    `insert into relay_annotations (annotation_id, project_id, trace_id, span_id, name, label, score, note, made_by,
       created_us) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      row.annotation_id,
      projectId,
      row.trace_id,
      row.span_id,
      row.name,
      row.label,
      row.score,
      row.note,
      row.made_by,
      row.created_us,
    ],
  );
}

export function selectAnnotations(
  reader: Reader,
  projectId: string,
  traceId: string,
): Promise<AnnotationRow[]> {
  return reader.all<AnnotationRow>(
    `select annotation_id, trace_id, span_id, name, label, score, note, made_by, created_us from relay_annotations
     where project_id = ? and trace_id = ? order by created_us, annotation_id limit ?`,
    [projectId, traceId, MOST_ANNOTATIONS],
  );
}

export function selectAnnotation(
  reader: Reader,
  projectId: string,
  annotationId: string,
): Promise<Pick<AnnotationRow, 'made_by'> | undefined> {
  return reader.get('select made_by from relay_annotations where project_id = ? and annotation_id = ?', [
    projectId,
    annotationId,
  ]);
}

export async function deleteAnnotation(
  uow: UnitOfWork,
  projectId: string,
  annotationId: string,
): Promise<void> {
  await uow.run('delete from relay_annotations where project_id = ? and annotation_id = ?', [
    projectId,
    annotationId,
  ]);
}
