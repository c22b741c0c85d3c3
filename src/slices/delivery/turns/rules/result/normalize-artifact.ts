import { asList, isDoc } from '../../../document.ts';
import { roleOf } from './context.ts';
import type { Draft, Repair } from './normalize.ts';

export const repairArtifact: Repair = (draft, _context, note) => {
  if (draft.artifact !== undefined && draft.artifact !== null) return;
  const type = asList(draft.files_changed).length > 0 ? 'workspace' : 'review';
  draft.artifact = { type };
  note(`artifact was missing and is inferred as "${type}".`);
};

/** A turn that changed nothing has no workspace to show: where its purpose is plain, it is a review. */
export const repairEmptyWorkspace: Repair = (draft, context, note) => {
  if (!isDoc(draft.artifact) || draft.artifact.type !== 'workspace' || hasFiles(draft)) return;
  const advances = (draft.phase_transition_request ?? null) !== null || draft.run_completion_request === true;
  const reviewed = draft.status === 'completed' && roleOf(context)?.write_authority === 'review_only';
  const asks = draft.status === 'needs_human' && draft.proposed_next_role === 'human';
  if (!advances && !reviewed && !asks) return;
  draft.artifact = { ...draft.artifact, type: 'review' };
  note('a workspace artifact without files was read as a review.');
};

function hasFiles(draft: Draft): boolean {
  if (asList(draft.files_changed).length > 0) return true;
  const produced = isDoc(draft.verification) ? asList(draft.verification.produced_files) : [];
  return produced.some((file) => isDoc(file) && file.disposition === 'artifact');
}
