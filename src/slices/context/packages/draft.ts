import type { Clock, Random } from '../../../kernel/clock.ts';
import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { spliceMembers } from '../../../kernel/json/compact.ts';
import { type JsonDocument, readDocument } from '../../../kernel/json/reader.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { type Package, PROTOCOL_VERSION } from '../schema.ts';
import type { DraftedPackage } from './schema.ts';

/** A whole package from what was given: what has one sensible value is filled in, what was written stays as written. */
export function completeDraft(
  document: JsonDocument,
  given: DraftedPackage,
  principal: Principal,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): { readonly document: JsonDocument; readonly view: Package } {
  const reviewType = given.review_type ?? 'none';
  const { id, type } = principal.actor;
  const filled: Record<string, unknown> = {
    package_id: given.package_id ?? prefixedId('pkg', random),
    project_id: given.project ?? given.project_id ?? principal.defaultProject,
    relay_version: PROTOCOL_VERSION,
    status: given.status ?? (reviewType === 'none' ? 'complete' : 'awaiting_review'),
    package_type: given.package_type ?? 'standard',
    review_type: reviewType,
    created_at: given.created_at ?? formatMillis(clock.now()),
    created_by: given.created_by ?? { id, type, session_id: given.session_id ?? null },
  };
  const changes = new Map<string, string | null>([
    ['project', null],
    ['session_id', null],
  ]);
  for (const [name, value] of Object.entries(filled)) {
    if (value !== (given as Record<string, unknown>)[name]) changes.set(name, JSON.stringify(value));
  }
  const whole = readDocument(spliceMembers(document, changes));
  return { document: whole, view: whole.plain as Package };
}
