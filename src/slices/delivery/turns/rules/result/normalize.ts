import {
  asList,
  isNonBlank,
  isRecord,
  isString,
  type LooseRecord,
  member,
} from '../../../../../kernel/json/loose.ts';
import { repairDecisions, repairObjections } from './normalize-items.ts';
import { repairLifecycle, repairNextRole } from './normalize-lifecycle.ts';
import { roleOf, type TurnContext } from './stage.ts';

/** A draft that repairs may change; the staged document itself never changes. */
export type Draft = Record<string, unknown>;
export type Repair = (draft: Draft, context: TurnContext, note: (what: string) => void) => void;

/** Ids that follow from the turn: a result for the active turn belongs to the active run. */
const repairIdentity: Repair = (draft, { state, turn }, note) => {
  if (turn === undefined || draft.turn_id !== turn.turn_id) return;
  if (state.run_id !== null && draft.run_id !== state.run_id) {
    draft.run_id = state.run_id;
    note('run_id was taken from the active run.');
  }
  if (draft.runtime_id === undefined || draft.runtime_id === null) {
    draft.runtime_id = turn.runtime_id;
    note('runtime_id was taken from the assignment.');
  }
};

const SYNONYMS: Readonly<Record<string, string>> = {
  complete: 'completed',
  success: 'completed',
  done: 'completed',
  error: 'failed',
  failure: 'failed',
};

const repairStatus: Repair = (draft, _context, note) => {
  if (isString(draft.status)) {
    const meant = member(SYNONYMS, draft.status.toLowerCase());
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

/** Only from one clear signal: a result with two signals decides nothing. */
function inferStatus(draft: Readonly<Record<string, unknown>>): string | undefined {
  const asksHuman = isNonBlank(draft.needs_human_reason);
  const advances = isNonBlank(draft.phase_transition_request) || draft.run_completion_request === true;
  if (asksHuman === advances) return undefined;
  return asksHuman ? 'needs_human' : 'completed';
}

/** An empty summary is filled in; a missing one stays a schema error. */
const repairSummary: Repair = (draft, { turn }, note) => {
  if (!isString(draft.summary) || draft.summary.trim() !== '') return;
  const count = Array.isArray(draft.files_changed) ? draft.files_changed.length : 0;
  draft.summary = `${turn?.assigned_role ?? 'The role'} ended the turn as ${String(draft.status)} with ${count} changed file(s).`;
  note('the empty summary was written from the rest of the result.');
};

const repairFiles: Repair = (draft, _context, note) => {
  if (draft.files_changed === undefined && Array.isArray(draft.files_modified)) {
    draft.files_changed = draft.files_modified;
    delete draft.files_modified;
    note('files_modified was read as files_changed.');
  }
  for (const key of ['files_changed', 'artifacts_created']) pathsFromObjects(draft, key, note);
};

function pathsFromObjects(draft: Draft, key: string, note: (what: string) => void): void {
  const list = draft[key];
  if (!Array.isArray(list) || !list.some((item) => isRecord(item) && isString(item.path))) return;
  draft[key] = list.map((item) => (isRecord(item) && isString(item.path) ? item.path : item));
  note(`${key} held objects; their paths were taken.`);
}

/**
 * A missing status follows from the exit codes. A pass beside an unexpected non-zero exit is not excused here:
 * the verification stage refuses it.
 */
const repairVerification: Repair = (draft, _context, note) => {
  if (!isRecord(draft.verification) || draft.verification.status !== undefined) return;
  const codes = [draft.verification, ...asList(draft.verification.machine_evidence)]
    .map((item) => (isRecord(item) ? item.exit_code : undefined))
    .filter((code) => Number.isInteger(code));
  if (codes.length === 0) return;
  const status = codes.every((code) => code === 0) ? 'pass' : 'fail';
  draft.verification = { ...draft.verification, status };
  note(`verification.status follows from the exit codes: "${status}".`);
};

const repairArtifact: Repair = (draft, _context, note) => {
  if (draft.artifact !== undefined && draft.artifact !== null) return;
  const type = asList(draft.files_changed).length > 0 ? 'workspace' : 'review';
  draft.artifact = { type };
  note(`artifact was missing and is inferred as "${type}".`);
};

/** A turn that changed nothing has no workspace; where its purpose is clear, it is a review. */
const repairEmptyWorkspace: Repair = (draft, context, note) => {
  if (!isRecord(draft.artifact) || draft.artifact.type !== 'workspace' || hasFiles(draft)) return;
  const advances = (draft.phase_transition_request ?? null) !== null || draft.run_completion_request === true;
  const reviewed = draft.status === 'completed' && roleOf(context)?.write_authority === 'review_only';
  const asks = draft.status === 'needs_human' && draft.proposed_next_role === 'human';
  if (!advances && !reviewed && !asks) return;
  draft.artifact = { ...draft.artifact, type: 'review' };
  note('a workspace artifact without files was read as a review.');
};

function hasFiles(draft: Draft): boolean {
  if (asList(draft.files_changed).length > 0) return true;
  const produced = isRecord(draft.verification) ? asList(draft.verification.produced_files) : [];
  return produced.some((file) => isRecord(file) && file.disposition === 'artifact');
}

/** Later repairs rely on earlier ones: the status decides what the lifecycle may infer, files what the artifact is. */
const REPAIRS: readonly Repair[] = [
  repairIdentity,
  repairStatus,
  repairSummary,
  repairFiles,
  repairDecisions,
  repairObjections,
  repairVerification,
  repairLifecycle,
  repairArtifact,
  repairEmptyWorkspace,
  repairNextRole,
];

/** Fixes small mistakes of agents that have one obvious meaning, each with a warning. */
export function normalizeTurnResult(
  staged: LooseRecord,
  context: TurnContext,
): { readonly result: LooseRecord; readonly warnings: readonly string[] } {
  const draft: Draft = { ...staged };
  const warnings: string[] = [];
  for (const repair of REPAIRS) {
    repair(draft, context, (what) => warnings.push(`[normalized] ${what}`));
  }
  return { result: draft, warnings };
}
