import type { Micros } from '../../../kernel/clock.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import { isNonBlank, isString, type LooseRecord, member } from '../../../kernel/json/loose.ts';
import type { GovernedConfig } from '../config/config.ts';
import { DECISION_ID, numberedId } from '../ids.ts';
import { done, type Outcome, refuse } from '../outcome.ts';
import type { LedgerRow, RepoDecision } from '../records.ts';
import { DECISION_CATEGORIES, type Decision, type TurnResult } from '../turns/turn-result.ts';

/** Checks a decision against the ledger that it would join. The ledger is append-only. */
export function appendDecision(
  ledger: readonly LedgerRow[],
  entry: LooseRecord,
  runId: string | null,
): Outcome<readonly LedgerRow[]> {
  const rule = 'ledger.append';
  if (!isString(entry.id) || !DECISION_ID.test(entry.id)) {
    return refuse({
      type: 'invalid_decision_id_format',
      rule,
      field: 'id',
      message: `${JSON.stringify(entry.id) ?? 'A missing id'} is not a decision id.`,
      next: 'Use DEC- and digits.',
    });
  }
  if (!isNonBlank(entry.statement)) {
    return refuse({
      type: 'empty_required_field',
      rule,
      field: 'statement',
      message: `${entry.id} has no statement.`,
      next: 'Write the statement out.',
    });
  }
  if (!isString(entry.category) || !(DECISION_CATEGORIES as readonly string[]).includes(entry.category)) {
    return refuse({
      type: 'invalid_enum_value',
      rule,
      field: 'category',
      message: `${JSON.stringify(entry.category) ?? 'A missing category'} is not a category.`,
      next: `Use one of: ${DECISION_CATEGORIES.join(', ')}.`,
      details: { valid_values: DECISION_CATEGORIES },
    });
  }
  if (ledger.some((row) => row.id === entry.id && isOfRun(row, runId))) {
    return refuse({
      type: 'duplicate_decision_id',
      rule,
      field: 'id',
      message: `${entry.id} is already used in this run.`,
      next: `Use ${nextDecisionId(ledger)}.`,
      details: { duplicate_id: entry.id },
    });
  }
  return done([...ledger, entry]);
}

/** Rows without a run id come from runners with one ledger per run. */
function isOfRun(row: LedgerRow, runId: string | null): boolean {
  return row.run_id === undefined || row.run_id === null || row.run_id === runId;
}

export function decisionIds(ledger: readonly LedgerRow[], runId: string | null): ReadonlySet<string> {
  return new Set(
    ledger.filter((row) => isOfRun(row, runId)).flatMap((row) => (isString(row.id) ? [row.id] : [])),
  );
}

export function nextDecisionId(ledger: readonly LedgerRow[]): string {
  const numbers = ledger.map((row) =>
    isString(row.id) && DECISION_ID.test(row.id) ? Number(row.id.slice(4)) : 0,
  );
  return numberedId('DEC', Math.max(0, ...numbers) + 1);
}

/** The ledger rows of an accepted turn's decisions. */
export function decisionRows(result: TurnResult, phase: string, now: Micros): readonly LedgerRow[] {
  return result.decisions.map((decision) => ({
    id: decision.id,
    run_id: result.run_id,
    turn_id: result.turn_id,
    role: result.role,
    runtime_id: result.runtime_id,
    phase,
    category: decision.category,
    statement: decision.statement,
    rationale: decision.rationale,
    durability: decision.durability ?? 'run',
    overrides: decision.overrides ?? null,
    objections_against: result.objections
      .filter((objection) => objection.against_decision_id === decision.id)
      .map((objection) => objection.id),
    status: 'accepted',
    overridden_by: null,
    created_at: formatMillis(now),
  }));
}

const HUMAN_AUTHORITY = 100;

/** The file is append-only: the last row of an id is the one in force. */
export function currentRepoDecisions(rows: readonly RepoDecision[]): readonly RepoDecision[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

export function activeRepoDecisions(rows: readonly RepoDecision[]): readonly RepoDecision[] {
  return currentRepoDecisions(rows).filter((row) => row.status === 'active');
}

/** A decision may override one that exists, is active, and was not made by a role with more authority. */
export function checkOverrides(
  result: TurnResult,
  config: GovernedConfig,
  rows: readonly RepoDecision[],
): Outcome<null> {
  const current = new Map(currentRepoDecisions(rows).map((row) => [row.id, row]));
  for (const [index, decision] of result.decisions.entries()) {
    if ((decision.overrides ?? null) === null) continue;
    const fault = overrideFault(decision, result.role, config, current.get(decision.overrides as string));
    if (fault !== undefined) {
      return refuse({
        type: 'override_validation_failed',
        rule: 'decision.override',
        field: `decisions.${index}.overrides`,
        message: fault,
        next: `Name an active repository decision: ${
          [...current.values()]
            .filter((row) => row.status === 'active')
            .map((row) => row.id)
            .join(', ') || 'there is none'
        }.`,
      });
    }
  }
  return done(null);
}

function overrideFault(
  decision: Decision,
  role: string,
  config: GovernedConfig,
  target: RepoDecision | undefined,
): string | undefined {
  if (target === undefined)
    return `${decision.id} overrides ${decision.overrides}, which is not a repository decision.`;
  if (target.status !== 'active')
    return `${target.id} has already been overridden by ${target.overridden_by}.`;
  if (target.role === role) return undefined;
  const own = authority(role, config);
  const theirs = authority(target.role, config);
  if (own === undefined || theirs === undefined || own >= theirs) return undefined;
  return `"${role}" (authority ${own}) may not override ${target.id} of "${target.role}" (authority ${theirs}).`;
}

function authority(role: string, config: GovernedConfig): number | undefined {
  const declared = member(config.roles, role)?.decision_authority;
  return declared ?? (role === 'human' ? HUMAN_AUTHORITY : undefined);
}

/** The rows that an accepted turn adds: its lasting decisions, and the closed rows of those it overrides. */
export function promote(
  result: TurnResult,
  phase: string,
  rows: readonly RepoDecision[],
  now: Micros,
): readonly RepoDecision[] {
  const current = new Map(currentRepoDecisions(rows).map((row) => [row.id, row]));
  return result.decisions.flatMap((decision) => {
    const target = current.get(decision.overrides ?? '');
    const closed: RepoDecision[] =
      target === undefined ? [] : [{ ...target, status: 'overridden', overridden_by: decision.id }];
    if (decision.durability !== 'repo') return closed;
    const opened: RepoDecision = {
      id: decision.id,
      run_id: result.run_id,
      turn_id: result.turn_id,
      role: result.role,
      phase,
      category: decision.category,
      statement: decision.statement,
      rationale: decision.rationale,
      durability: 'repo',
      overrides: decision.overrides ?? null,
      status: 'active',
      overridden_by: null,
      created_at: formatMillis(now),
    };
    return [...closed, opened];
  });
}
