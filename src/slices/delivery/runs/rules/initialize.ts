import type { Micros } from '../../../../kernel/clock.ts';
import { formatMillis } from '../../../../kernel/instant.ts';
import { phasesOf } from '../../config/config.ts';
import { admissionFaults } from '../../config/rules/admission.ts';
import { readConfig } from '../../config/rules/read.ts';
import { validateConfig } from '../../config/rules/validate.ts';
import type { Finding } from '../../findings.ts';
import { done, illegalTransition, type Outcome, refuse } from '../../outcome.ts';
import type { RepoDecision } from '../../records.ts';
import { type Intent, idleState, type Provenance, type RunState } from '../../run-state.ts';
import { type Change, change, eventOf } from './change.ts';

export interface Initialization {
  readonly rawConfig: unknown;
  readonly runId: string;
  readonly now: Micros;
  readonly repoDecisions: readonly RepoDecision[];
  readonly provenance?: Provenance;
  readonly headRef?: string;
  readonly phase?: string;
  readonly intent?: Intent;
  /** Start another run although this one is finished. */
  readonly restart?: boolean;
}

export function initializeRun(state: RunState, input: Initialization): Outcome<Change> {
  if (!mayStart(state, input.restart === true)) {
    return illegalTransition(
      'run.initialize',
      `A run can only be started from idle; this one is ${state.status}.`,
      state.status === 'completed' ? 'Start a new one: baton run start --restart' : 'See: baton run status',
      'status',
    );
  }
  const faults = validateConfig(input.rawConfig);
  if (faults.length > 0) return refuse(asRefusal('invalid_config', 'config.valid', faults));
  const config = readConfig(input.rawConfig);
  const stuck = admissionFaults(config);
  if (stuck.length > 0) return refuse(asRefusal('admission_rejected', 'config.admission', stuck));

  const phases = phasesOf(config);
  const at = formatMillis(input.now);
  const wanted = input.phase ?? (state.status === 'idle' ? state.phase : '');
  const fresh = phases.includes(wanted) ? wanted : phases[0];
  const next: RunState = {
    ...idleState(config.project.id, fresh ?? 'planning'),
    run_id: input.runId,
    status: 'active',
    created_at: at,
    phase_entered_at: at,
    accepted_integration_ref: input.headRef ?? null,
    budget_status: { spent_usd: 0, remaining_usd: config.budget.per_run_max_usd ?? null },
    repo_decisions: input.repoDecisions.filter((decision) => decision.status === 'active'),
    provenance: input.provenance ?? null,
    inherited_context: input.intent === undefined ? null : { intent: input.intent },
  };
  return done(
    change(next, {
      events: [
        eventOf(next, 'run_started', {
          phases,
          ...(input.provenance?.trigger === 'schedule' && { schedule: input.intent?.id ?? null }),
        }),
      ],
    }),
  );
}

function mayStart(state: RunState, restart: boolean): boolean {
  if (state.status === 'idle') return true;
  if (state.status === 'completed') return restart;
  return state.status === 'blocked' && state.run_id === null && Object.keys(state.active_turns).length === 0;
}

function asRefusal(type: string, rule: string, faults: readonly Finding[]) {
  const [first] = faults;
  return {
    type,
    rule,
    message: first?.message ?? 'The config is invalid.',
    next: first?.next ?? 'Correct agentxchain.json.',
    field: first?.field ?? '',
    details: { faults },
  };
}
