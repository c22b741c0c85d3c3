import type { Hasher } from '../../../../kernel/hasher.ts';
import { type Converted, type Foreign, nothing, text, texts, titleFrom } from './record.ts';

const BEGAN = '1970-01-01T00:00:00.000Z';

/** The graph of MCP's server-memory: an entity is a package with its observations and a fact of its type, a relation a fact. */
export function convertServerMemory(hasher: Hasher, rows: readonly Foreign[], projectId: string): Converted {
  const converted = nothing();
  const factId = (...parts: string[]) =>
    `fact_${hasher.hex(JSON.stringify(['server-memory', projectId, ...parts])).slice(0, 32)}`;
  const fact = (subject: string, predicate: string, value: string) =>
    converted.facts.push({
      fact_id: factId(subject, predicate, value),
      project_id: projectId,
      subject,
      predicate,
      value,
      valid_from: BEGAN,
      created_at: BEGAN,
      valid_to: null,
    });
  for (const row of rows) {
    const { name, from, to, relationType } = row as Record<string, unknown>;
    if (row.type === 'entity' && text(name)) {
      const observations = texts(row.observations);
      const body = JSON.stringify([name, row.entityType ?? null, observations]);
      converted.packages.push({
        package_id: `pkg_${hasher.hex(`server-memory:${projectId}:${body}`).slice(0, 32)}`,
        project_id: projectId,
        relay_version: '0.1',
        title: titleFrom(name),
        status: 'complete',
        package_type: 'analysis',
        review_type: 'none',
        created_at: BEGAN,
        created_by: { id: 'server-memory', type: 'script', session_id: null },
        content_md: observations.map((line) => `- ${line}`).join('\n'),
        ...(text(row.entityType) && { topic: row.entityType }),
        'x-server-memory': row,
      });
      if (text(row.entityType)) fact(String(name), 'type', String(row.entityType));
    } else if (row.type === 'relation' && text(from) && text(to) && text(relationType)) {
      // Several relations of one kind may hold at once, so the other end is part of the predicate.
      fact(String(from), `${relationType}: ${to}`, String(to));
    } else converted.skipped += 1;
  }
  return converted;
}
