import type { Micros } from '../../../kernel/clock.ts';
import { parseInstant } from '../../../kernel/instant.ts';
import { isJsonObject, type JsonObject } from '../../../kernel/json/value.ts';
import { objectMember, textMember, withMembers, withMetadata } from '../documents.ts';
import type { MemoryFacets } from './rules.ts';

/**
 * The memory as it stood at an instant: undefined before it was approved and after it was archived or superseded;
 * otherwise with the content that it had then.
 */
export function memoryAt(document: JsonObject, facets: MemoryFacets, at: Micros): JsonObject | undefined {
  const began = facets.approved ?? facets.learned ?? Number.NEGATIVE_INFINITY;
  if (began > at) return undefined;
  if (facets.status !== 'approved' && !(facets.status === 'archived' && (facets.archived ?? at) > at)) {
    return undefined;
  }
  const history = objectMember(document, 'metadata').editHistory;
  const edits = Array.isArray(history) ? history.filter(isJsonObject) : [];
  const later = edits.find((edit) => (parseInstant(textMember(edit, 'editedAt') ?? '')?.micros ?? at) > at);
  const then = withMembers(document, { status: 'approved' });
  if (!later) return withMetadata(then, { archivedAt: undefined, supersededBy: undefined });
  return withMetadata(withMembers(then, { content: textMember(later, 'previousContent') ?? '' }), {
    archivedAt: undefined,
    supersededBy: undefined,
    editHistory: edits.slice(0, edits.indexOf(later)),
  });
}
