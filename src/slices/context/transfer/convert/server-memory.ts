import type { Hasher } from '../../../../kernel/hasher.ts';
import { asStrings, asText, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { type Converted, nothingConverted, titleFrom } from './converted.ts';

const BEGAN = '1970-01-01T00:00:00.000Z';

/** The graph of MCP's server-memory: an entity becomes a package and a fact about its type, a relation a fact. */
export function convertServerMemory(
  hasher: Hasher,
  rows: readonly LooseRecord[],
  projectId: string,
): Converted {
  const converted = nothingConverted();
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
    const name = asText(row.name);
    const entityType = asText(row.entityType);
    const [from, to, relation] = [row.from, row.to, row.relationType].map(asText);
    if (row.type === 'entity' && name) {
      const observations = asStrings(row.observations);
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
        ...(entityType && { topic: entityType }),
        'x-server-memory': row,
      });
      if (entityType) fact(name, 'type', entityType);
    } else if (row.type === 'relation' && from && to && relation) {
      // Several relations of one kind may hold at once, so the other end is part of the predicate.
      fact(from, `${relation}: ${to}`, to);
    } else converted.skipped += 1;
  }
  return converted;
}
