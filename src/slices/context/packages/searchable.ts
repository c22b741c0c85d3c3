import type { SearchDocument, SearchField } from '../../../spine/search/document.ts';
import type { Package } from '../schema.ts';

export const PACKAGES = 'package';

/** What search knows of a package: each decision and each question is a passage of its own. */
export function packageDocument(given: Package, time: number): SearchDocument {
  const fields: SearchField[] = [{ name: 'title', text: given.title, weight: 2 }];
  const add = (name: string, text: string | null | undefined, weight?: number) => {
    if (text) fields.push({ name, text, ...(weight !== undefined && { weight }) });
  };
  add('description', given.description);
  for (const decision of given.decisions_made ?? []) add('decisions_made', decision);
  for (const question of given.open_questions ?? []) add('open_questions', question);
  add('handoff_note', given.handoff_note);
  add('content_md', given.content_md);
  add('tags', [given.topic, ...(given.tags ?? [])].filter(Boolean).join(' '));
  for (const deliverable of given.deliverables ?? []) add('deliverables', deliverable.path);
  return {
    projectId: given.project_id,
    collection: PACKAGES,
    id: given.package_id,
    fields,
    time,
    attributes: { package_type: given.package_type, author: given.created_by.id },
  };
}
