import { member } from '../../../../kernel/json/loose.ts';
import { done, type Outcome, refuse } from '../../outcome.ts';
import { containedPath, isOrchestratorPath, isProductPath } from '../../path-rules.ts';
import type { TurnResult } from '../turn-result.ts';
import type { AcceptanceInput } from './judge.ts';

/** What git has seen change since the turn was assigned, without the orchestrator's files. */
export interface Observation {
  readonly head: string | null;
  /** Path to content hash, null for a deleted file. */
  readonly changed: Readonly<Record<string, string | null>>;
  /** Nothing but this turn can have changed them: it has a work tree of its own. */
  readonly own?: true;
  /** The commit that the turn became. */
  readonly commit?: string;
}

/** Compares declared files with observed ones. Without git there is nothing to compare. */
export function compareWithObservation(
  input: AcceptanceInput,
  result: TurnResult,
): Outcome<readonly string[]> {
  const { state, config, turn, observation } = input;
  if (observation === null) return done([]);
  const authority = member(config.roles, turn.assigned_role)?.write_authority ?? 'authoritative';
  const declared = new Set(
    [...result.files_changed, ...(result.verification.produced_files ?? []).map((file) => file.path)].map(
      (path) => containedPath(path),
    ),
  );
  const others = observation.own === true ? new Set<string>() : changedByOthers(input);
  const undeclared = Object.keys(observation.changed).filter(
    (path) => !declared.has(path) && !others.has(path) && !isOrchestratorPath(path),
  );
  const alone = observation.own === true || Object.keys(state.active_turns).length === 1;
  if (authority === 'review_only' && alone && undeclared.some(isProductPath)) {
    return mismatch(
      'A reviewer changed product files',
      undeclared.filter(isProductPath),
      'Undo these changes: a reviewer writes only below .planning/ and .agentxchain/reviews/.',
    );
  }
  if (authority === 'authoritative' && alone && undeclared.length > 0) {
    return mismatch('Files changed that the result does not declare', undeclared);
  }
  const warnings = undeclared.map(
    (path) => `${path} changed but is not declared; another turn may have changed it.`,
  );
  const unseen = result.files_changed.filter(
    (path) => !Object.hasOwn(observation.changed, containedPath(path) ?? path) && !isOrchestratorPath(path),
  );
  return done([
    ...warnings,
    ...(authority === 'authoritative' ? unseen : []).map(
      (path) => `${path} is declared but git sees no change.`,
    ),
  ]);
}

function changedByOthers({ turn, history }: AcceptanceInput): ReadonlySet<string> {
  return new Set(
    history
      .filter((row) => row.accepted_sequence > turn.assigned_sequence)
      .flatMap((row) => row.files_changed),
  );
}

/** Whether files changed between checking and writing; with other turns active, only the turn's own files count. */
export function hasDrifted(
  before: Observation | null,
  after: Observation | null,
  own?: readonly string[],
): boolean {
  if (before === null || after === null) return before !== after;
  if (own !== undefined) {
    return own.some((path) => {
      const at = containedPath(path) ?? path;
      return before.changed[at] !== after.changed[at];
    });
  }
  const [a, b] = [Object.entries(before.changed), Object.entries(after.changed)];
  return (
    before.head !== after.head ||
    a.length !== b.length ||
    a.some(([path, hash]) => after.changed[path] !== hash)
  );
}

function mismatch(
  what: string,
  paths: readonly string[],
  next = 'Declare them in files_changed, or undo the changes.',
) {
  return refuse({
    type: 'artifact_mismatch',
    rule: 'accept.declared_files',
    field: 'files_changed',
    message: `${what}: ${paths.join(', ')}.`,
    next,
    details: { paths },
  });
}
