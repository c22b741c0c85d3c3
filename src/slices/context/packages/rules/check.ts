import type { Hasher } from '../../../../kernel/hasher.ts';
import { utf8Length } from '../../../../kernel/json/utf8.ts';
import { contextErrors } from '../../errors.ts';
import type { Package } from '../../schema.ts';
import type { Links } from '../link-store.ts';

/** The longest id whose place in an index both engines keep. */
const LONGEST_ID_BYTES = 1024;

/** What the schema of one document cannot say: how its members go together, and with the path. */
export function checkPackage(given: Package, projectId: string, importing: boolean): void {
  if (given.project_id !== projectId) {
    throw contextErrors.invalid_schema({
      message: `The package belongs to project ${given.project_id}, the path names ${projectId}.`,
      pointer: '/project_id',
    });
  }
  requireShortId(given.package_id, '/package_id');
  for (const parent of parentsOf(given)) {
    requireShortId(parent, '/parent_package_id');
    if (parent === given.package_id) {
      throw contextErrors.invalid_schema({
        message: 'A package cannot be its own parent.',
        pointer: '/parent_package_id',
      });
    }
  }
  if (!importing && given.status === 'awaiting_review' && given.review_type === 'none') {
    throw contextErrors.invalid_schema({
      message: 'A package that awaits review says who reviews it: human or agent.',
      pointer: '/review_type',
    });
  }
}

function requireShortId(id: string, pointer: string): void {
  if (utf8Length(id) <= LONGEST_ID_BYTES) return;
  throw contextErrors.invalid_schema({
    message: `An id has at most ${LONGEST_ID_BYTES} bytes.`,
    pointer,
  });
}

/** Questions are matched by their words: case and spacing are how they were typed, not what was asked. */
function questionHash(hasher: Hasher, question: string): string {
  return hasher.hex(question.trim().replaceAll(/\s+/g, ' ').toLowerCase());
}

/** What a package says about others, and asks. */
export function linksOf(hasher: Hasher, given: Package): Links {
  const questions = new Map((given.open_questions ?? []).map((text) => [questionHash(hasher, text), text]));
  return {
    parents: parentsOf(given),
    questions: [...questions].map(([hash, question]) => ({ hash, question })),
    resolves: (given['x-resolves'] ?? []).map((resolved) => ({
      packageId: resolved.package_id,
      questionHash: questionHash(hasher, resolved.question),
    })),
    refs: (given['x-refs'] ?? []).map((ref) => ({
      rel: ref.rel,
      targetProject: ref.project_id,
      targetId: ref.package_id,
      targetHash: ref.content_hash ?? null,
    })),
  };
}

/** The first parent is `parent_package_id`; a merge names the others in `x-parents`. */
export function parentsOf(given: Package): readonly string[] {
  const named = [
    ...(given.parent_package_id ? [given.parent_package_id] : []),
    ...(given['x-parents'] ?? []),
  ];
  return [...new Set(named)];
}
