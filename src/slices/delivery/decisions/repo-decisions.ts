import type { Micros } from '../../../kernel/clock.ts';
import { formatMillis } from '../../../kernel/instant.ts';
import type { GovernedConfig } from '../config/config.ts';
import { member } from '../document.ts';
import { done, type Outcome, refuse } from '../outcome.ts';
import type { RepoDecision } from '../records.ts';
import type { Decision, TurnResult } from '../turns/turn-result.ts';

const HUMAN_AUTHORITY = 100;

/** The file is append-only: what holds for an id is its last row. */
export function currentRepoDecisions(rows: readonly RepoDecision[]): readonly RepoDecision[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

export function activeRepoDecisions(rows: readonly RepoDecision[]): readonly RepoDecision[] {
  return currentRepoDecisions(rows).filter((row) => row.status === 'active');
}

/** A decision that overrides another must find it, find it in force, and outrank whoever took it. */
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
    return `${decision.id} overrides ${decision.overrides}, which no repository decision is.`;
  if (target.status !== 'active') return `${target.id} is overridden already, by ${target.overridden_by}.`;
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

/** The rows an accepted turn adds: its lasting decisions, and the closed rows of those it overrides. */
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
