import { asList, asRecord, isRecord, isString, type LooseRecord } from '../../../kernel/json/loose.ts';
import type { HistoryRow, LedgerRow, RepoDecision } from '../records.ts';
import { idleState, type RunState } from '../run-state.ts';

/** Fixtures set up only what they test; the rest is filled in here for the strict rules. */
export function inflateConfig(raw: unknown): LooseRecord {
  const config = asRecord(raw);
  const roles = Object.fromEntries(
    Object.entries(asRecord(config.roles)).map(([id, role]) => [
      id,
      isRecord(role)
        ? { title: id, mandate: `Act as ${id}`, write_authority: 'authoritative', runtime: 'manual', ...role }
        : role,
    ]),
  );
  return {
    ...config,
    schema_version: config.schema_version ?? '1.0',
    project: { id: 'fixture', name: 'Fixture', ...asRecord(config.project) },
    roles,
    runtimes: inflateRuntimes(asRecord(config.runtimes), roles),
    routing: config.routing ?? {},
    gates: config.gates ?? {},
    rules: { challenge_required: true, ...asRecord(config.rules) },
  };
}

/** Only `manual` may be undeclared: any other missing runtime is what the fixture tests. */
function inflateRuntimes(declared: LooseRecord, roles: LooseRecord): LooseRecord {
  const typed = Object.fromEntries(
    Object.entries(declared).map(([id, runtime]) => [
      id,
      isRecord(runtime) ? { type: 'manual', ...runtime } : runtime,
    ]),
  );
  const needsManual = Object.values(roles).some((role) => asRecord(role).runtime === 'manual');
  return needsManual && !Object.hasOwn(typed, 'manual') ? { ...typed, manual: { type: 'manual' } } : typed;
}

export function inflateState(raw: unknown, config: LooseRecord): RunState {
  const given = asRecord(raw);
  const project = asRecord(config.project).id;
  const turns = Object.fromEntries(
    Object.entries(asRecord(given.active_turns)).map(([id, turn]) => [
      id,
      inflateTurn(id, asRecord(turn), given, config),
    ]),
  );
  return {
    ...idleState(isString(project) ? project : null, 'planning'),
    ...given,
    active_turns: turns,
  } as unknown as RunState;
}

function inflateTurn(id: string, turn: LooseRecord, state: LooseRecord, config: LooseRecord): LooseRecord {
  const { role, ...rest } = turn;
  const assigned = rest.assigned_role ?? role;
  const runtime = asRecord(asRecord(config.roles)[String(assigned)]).runtime ?? 'manual';
  return {
    turn_id: id,
    run_id: state.run_id ?? null,
    assigned_role: assigned,
    runtime_id: runtime,
    status: 'running',
    attempt: 1,
    assigned_at: null,
    started_at: null,
    deadline_at: null,
    baseline: null,
    assigned_sequence: 0,
    concurrent_with: [],
    ...rest,
  };
}

export function inflateHistory(raw: unknown, state: RunState): readonly HistoryRow[] {
  return asList(raw).map(
    (row) =>
      ({
        run_id: state.run_id,
        phase: state.phase,
        status: 'completed',
        summary: '',
        files_changed: [],
        accepted_sequence: 0,
        assigned_sequence: 0,
        ...asRecord(row),
      }) as unknown as HistoryRow,
  );
}

export function inflateLedger(raw: unknown): readonly LedgerRow[] {
  return asList(raw).map(asRecord);
}

export function inflateRepoDecisions(raw: unknown): readonly RepoDecision[] {
  return asList(raw).map(
    (row) => ({ status: 'active', overridden_by: null, ...asRecord(row) }) as unknown as RepoDecision,
  );
}

export function inflateFiles(raw: unknown): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(asRecord(raw)).flatMap(([path, text]) => (isString(text) ? [[path, text]] : [])),
  );
}
