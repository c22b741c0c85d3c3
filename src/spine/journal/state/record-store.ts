import type { Reader } from '../../storage/database.ts';

/** An event that records rows, its payload as it is stored. */
export interface RecordingRow {
  readonly event_id: string;
  readonly project_seq: number;
  readonly payload: string | null;
}

/** The records of a project before a number of its own, newest first. */
export function selectRecordsBefore(
  reader: Reader,
  projectId: string,
  before: number,
  limit: number,
): Promise<RecordingRow[]> {
  return reader.all(
    `select event_id, project_seq, payload from events where project_id = ? and project_seq < ?
     order by project_seq desc limit ?`,
    [projectId, before, limit],
  );
}

/** Whether a commit is in view whose events have no numbers yet. */
export async function hasUnnumbered(reader: Reader, projectIds: readonly string[]): Promise<boolean> {
  const marks = projectIds.map(() => '?').join(', ');
  const found = await reader.get(
    `select 1 as one from events where leaf is null and project_id in (${marks}) limit 1`,
    projectIds,
  );
  return found !== undefined;
}
