import type { Micros } from '../../../../kernel/clock.ts';
import { appendDecision, checkOverrides, decisionRows } from '../../decisions/rules.ts';
import { unboundDocuments } from '../../gates/rules/binding.ts';
import { evaluatePhaseExit } from '../../gates/rules/evaluate.ts';
import type { GateEvidence } from '../../gates/rules/predicates.ts';
import { done, type Outcome, type Refusal, refuse } from '../../outcome.ts';
import { containedPath } from '../../path-rules.ts';
import type { HistoryRow, LedgerRow } from '../../records.ts';
import type { Snapshot } from '../../repository/snapshot.ts';
import type { ActiveTurn } from '../../run-state.ts';
import type { Change } from '../../runs/rules/change.ts';
import type { ReplayedCommand } from '../replay.ts';
import type { TurnResult } from '../turn-result.ts';
import { type Conflict, conflictRecord, detectConflict, markConflicted } from './conflict.ts';
import { compareWithObservation, type Observation } from './observation.ts';
import { type PolicyBreach, policyBreaches } from './policies.ts';

export interface AcceptanceInput extends Omit<Snapshot, 'rawConfig'> {
  readonly turn: ActiveTurn;
  readonly result: TurnResult;
  readonly gateFiles: ReadonlyMap<string, string>;
  readonly observation: Observation | null;
  readonly now: Micros;
  /** A person has merged the conflicting files. */
  readonly merged?: boolean;
  /** Where documents are bound to the run. */
  readonly documents?: GateDocuments;
  /** What the commands of the evidence did when they were run again; undefined where nobody asked. */
  readonly replayed?: readonly ReplayedCommand[];
  /** Files over which the merge with the branch failed. */
  readonly unmerged?: readonly string[];
}

/** The documents that gates read, by path. */
export interface GateDocuments {
  /** Content hashes as they will be once the turn is accepted; null for one that is not there. */
  readonly now: Readonly<Record<string, string | null>>;
  /** Those that this turn wrote. */
  readonly written: Readonly<Record<string, string>>;
}

/** What a gate is judged by, if this turn is accepted. */
export function gateEvidence(
  input: Omit<AcceptanceInput, 'result'>,
  verificationStatus: string | undefined,
  history: readonly HistoryRow[],
): GateEvidence {
  const { documents, state, ledger } = input;
  return {
    files: input.gateFiles,
    verificationStatus,
    history,
    ...(documents !== undefined && {
      unbound: unboundDocuments(without(documents), history, ledger, state.run_id),
    }),
  };
}

/** What the turn itself wrote counts, whatever its row is going to say. */
function without({ now, written }: GateDocuments): Readonly<Record<string, string | null>> {
  return Object.fromEntries(Object.entries(now).filter(([path]) => !Object.hasOwn(written, path)));
}

export type Judgement =
  | { readonly verdict: 'refused'; readonly refusal: Refusal }
  | { readonly verdict: 'conflicted'; readonly change: Change }
  | {
      readonly verdict: 'admissible';
      readonly result: TurnResult;
      readonly warnings: readonly string[];
      readonly escalation: PolicyBreach | undefined;
      readonly revised: readonly string[];
    };

/** All checks between a valid result and its place in history. */
export function judgeAcceptance(input: AcceptanceInput): Judgement {
  const { state, turn, history } = input;
  const covered = coverGate(input);
  if (!covered.ok) return { verdict: 'refused', refusal: covered.refusal };
  const { result, warnings } = covered.value;
  const checks = [
    checkOverrides(result, input.config, input.repoDecisions),
    checkLedger(result, input),
    compareWithObservation(input, result),
  ];
  const notes: string[] = [...warnings];
  for (const check of checks) {
    if (!check.ok) return { verdict: 'refused', refusal: check.refusal };
    notes.push(...(check.value ?? []));
  }
  const breaches = policyBreaches(input, result);
  const blocking = breaches.find((breach) => breach.policy.action === 'block');
  if (blocking !== undefined) return { verdict: 'refused', refusal: policyRefusal(blocking) };
  notes.push(...breaches.map((breach) => `Policy ${breach.policy.id}: ${breach.message}`));

  const conflict = withUnmerged(
    detectConflict(turn, result.files_changed, history),
    input.unmerged ?? [],
    result,
  );
  if (conflict.record !== null && input.merged !== true) {
    return { verdict: 'conflicted', change: markConflicted(state, turn, conflict.record, input.now) };
  }
  return {
    verdict: 'admissible',
    result,
    warnings: notes,
    escalation: breaches.find((breach) => breach.policy.action === 'escalate'),
    revised: conflict.revised,
  };
}

/** A person's own commits can collide with a turn, too. */
function withUnmerged(conflict: Conflict, files: readonly string[], result: TurnResult): Conflict {
  const added = files.filter((path) => !conflict.record?.conflicting_files.includes(path));
  if (added.length === 0 || files.every((path) => conflict.revised.includes(path))) return conflict;
  const all = [...(conflict.record?.conflicting_files ?? []), ...added];
  return {
    ...conflict,
    record: conflictRecord(all, conflict.record?.accepted_since ?? [], result.files_changed.length),
  };
}

function checkLedger(result: TurnResult, input: AcceptanceInput): Outcome<null> {
  let ledger: readonly LedgerRow[] = input.ledger;
  for (const [index, row] of decisionRows(result, input.state.phase, input.now).entries()) {
    const joined = appendDecision(ledger, row, result.run_id);
    if (!joined.ok)
      return refuse({ ...joined.refusal, field: `decisions.${index}.${joined.refusal.field ?? 'id'}` });
    ledger = joined.value;
  }
  return done(null);
}

function policyRefusal(breach: PolicyBreach): Refusal {
  return {
    type: 'policy_violation',
    rule: `policy.${breach.policy.id}`,
    field: 'policies',
    message: `Policy ${breach.policy.id} (${breach.policy.rule}): ${breach.message}`,
    next: 'Change the work so that it holds, or the policy in agentxchain.json.',
  };
}

/**
 * A turn that asks to move on while the gate fails on files it never changed has not looked at the gate. It is sent
 * back; in planning, where documents grow over several turns, only the request is dropped.
 */
function coverGate(
  input: AcceptanceInput,
): Outcome<{ readonly result: TurnResult; readonly warnings: readonly string[] }> {
  const { result, state, config } = input;
  const requested = result.phase_transition_request ?? null;
  if (requested === null) return done({ result, warnings: [] });
  const decision = evaluatePhaseExit(
    config,
    state.phase,
    requested,
    gateEvidence(input, result.verification.status, input.history),
  );
  const touched = new Set(result.files_changed.map((path) => containedPath(path)));
  const untouched = decision.files.filter((path) => !touched.has(path));
  if (decision.action !== 'gate_failed' || untouched.length === 0) return done({ result, warnings: [] });
  const message = `The gate "${decision.gate}" fails on files that this turn did not change: ${untouched.join(', ')}.`;
  if (state.phase === 'planning') {
    return done({
      result: { ...result, phase_transition_request: null },
      warnings: [`${message} The request to move on was dropped.`],
    });
  }
  return refuse({
    type: 'gate_coverage',
    rule: 'accept.gate_coverage',
    field: 'phase_transition_request',
    message,
    next: decision.reasons[0] ?? 'Fix the files, or do not ask for the next phase.',
    details: { files: untouched, reasons: decision.reasons },
  });
}
