import type { Hasher } from '../../../../kernel/hasher.ts';
import { asRecords, asText, type LooseRecord, present } from '../../../../kernel/json/loose.ts';
import { type Converted, nothingConverted, someStrings, titleFrom, utc } from './converted.ts';

/** Beads issues: each becomes a package with its state as a fact, so that open issues show up as questions. */
export function convertBeads(hasher: Hasher, rows: readonly LooseRecord[], projectId: string): Converted {
  const converted = nothingConverted();
  for (const row of rows) {
    const id = asText(row.id);
    if (!id || !asText(row.title)) {
      converted.skipped += 1;
      continue;
    }
    const created = utc(row.created_at);
    const open = row.status !== 'closed';
    const parent = asRecords(row.dependencies).find(
      (dependency) => dependency.type === 'parent-child' && asText(dependency.depends_on_id),
    );
    const priority = Number(row.priority);
    const closeReason = asText(row.close_reason);
    converted.packages.push({
      package_id: `beads:${id}`,
      project_id: projectId,
      relay_version: '0.1',
      title: titleFrom(row.title),
      status: 'complete',
      package_type: open ? 'question' : 'standard',
      review_type: 'none',
      created_at: created,
      created_by: {
        id: asText(row.created_by) ?? asText(row.assignee) ?? 'beads',
        type: 'script',
        session_id: null,
      },
      ...present({
        description: asText(row.description),
        tags: someStrings(row.labels),
        open_questions: open ? [titleFrom(row.title)] : undefined,
        decisions_made: closeReason && [closeReason],
        parent_package_id: parent && `beads:${parent.depends_on_id}`,
        significance: Number.isInteger(priority) ? Math.min(10, Math.max(1, 9 - 2 * priority)) : undefined,
      }),
      'x-beads': row,
    });
    const at = utc(row.updated_at, row.closed_at, created);
    const status = asText(row.status) ?? 'open';
    converted.facts.push({
      fact_id: `fact_${hasher.hex(JSON.stringify(['beads', projectId, id, status, at])).slice(0, 32)}`,
      project_id: projectId,
      subject: `beads:${id}`,
      predicate: 'status',
      value: status,
      valid_from: at,
      created_at: at,
      source_package_id: `beads:${id}`,
      valid_to: null,
    });
  }
  return converted;
}
