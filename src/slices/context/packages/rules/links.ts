import type { Hasher } from '../../../../kernel/hasher.ts';
import type { Package } from '../../schema.ts';
import type { Links } from '../link-store.ts';

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
