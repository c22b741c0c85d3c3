import type { Hasher } from '../../../../kernel/hasher.ts';
import { type Converted, type Foreign, nothing, text, texts, titleFrom, utc } from './record.ts';

/** Issues of Beads: each a package, its state a fact, so that what is open shows up as a question. */
export function convertBeads(hasher: Hasher, rows: readonly Foreign[], projectId: string): Converted {
  const converted = nothing();
  for (const row of rows) {
    const id = text(row.id);
    if (!id || !text(row.title)) {
      converted.skipped += 1;
      continue;
    }
    const created = utc(row.created_at);
    const open = row.status !== 'closed';
    const parent = (Array.isArray(row.dependencies) ? (row.dependencies as Foreign[]) : []).find(
      (dependency) => dependency.type === 'parent-child' && text(dependency.depends_on_id),
    );
    const priority = Number(row.priority);
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
        id: text(row.created_by) ?? text(row.assignee) ?? 'beads',
        type: 'script',
        session_id: null,
      },
      ...(text(row.description) && { description: row.description }),
      ...(texts(row.labels).length > 0 && { tags: texts(row.labels) }),
      ...(open && { open_questions: [titleFrom(row.title)] }),
      ...(text(row.close_reason) && { decisions_made: [row.close_reason] }),
      ...(parent && { parent_package_id: `beads:${parent.depends_on_id}` }),
      ...(Number.isInteger(priority) && { significance: Math.min(10, Math.max(1, 9 - 2 * priority)) }),
      'x-beads': row,
    });
    const at = utc(row.updated_at, row.closed_at, created);
    const status = text(row.status) ?? 'open';
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
