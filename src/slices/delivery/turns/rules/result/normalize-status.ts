import { isNonBlank, isText } from '../../../document.ts';
import type { Repair } from './normalize.ts';

const SYNONYMS: Readonly<Record<string, string>> = {
  complete: 'completed',
  success: 'completed',
  done: 'completed',
  error: 'failed',
  failure: 'failed',
};

export const repairStatus: Repair = (draft, _context, note) => {
  if (isText(draft.status)) {
    const meant = SYNONYMS[draft.status.toLowerCase()];
    if (meant === undefined) return;
    note(`status "${draft.status}" was read as "${meant}".`);
    draft.status = meant;
    return;
  }
  if (draft.status !== undefined && draft.status !== null) return;
  const inferred = inferStatus(draft);
  if (inferred === undefined) return;
  draft.status = inferred;
  note(`status was missing and follows from the rest: "${inferred}".`);
};

/** Only from one clear signal: a result that says two things says nothing. */
function inferStatus(draft: Readonly<Record<string, unknown>>): string | undefined {
  const asksHuman = isNonBlank(draft.needs_human_reason);
  const advances = isNonBlank(draft.phase_transition_request) || draft.run_completion_request === true;
  if (asksHuman === advances) return undefined;
  return asksHuman ? 'needs_human' : 'completed';
}

/** An empty summary is filled in; a missing one stays a schema error. */
export const repairSummary: Repair = (draft, { turn }, note) => {
  if (!isText(draft.summary) || draft.summary.trim() !== '') return;
  const count = Array.isArray(draft.files_changed) ? draft.files_changed.length : 0;
  draft.summary = `${turn?.assigned_role ?? 'The role'} ended the turn as ${String(draft.status)} with ${count} changed file(s).`;
  note('the empty summary was written from the rest of the result.');
};
