import type { Hasher } from '../../../kernel/hasher.ts';
import { asList, asRecord, isString, type LooseRecord } from '../../../kernel/json/loose.ts';
import { FILES } from '../repository/paths.ts';
import type { RunState } from '../run-state.ts';
import { exported, requireVerifiedExport } from './export.ts';
import { nextCommand } from './rules/next-command.ts';

/** The outcome of a run, from a verified export only: a report about altered files would be false. */
export interface RunReport {
  readonly project: string;
  readonly runId: string | null;
  readonly status: string;
  readonly phase: string;
  readonly spentUsd: number;
  readonly turns: readonly LooseRecord[];
  readonly decisions: readonly LooseRecord[];
  readonly objections: readonly LooseRecord[];
  readonly gates: Readonly<Record<string, string>>;
  readonly approvals: readonly LooseRecord[];
  readonly delegations: readonly LooseRecord[];
  readonly hooks: readonly LooseRecord[];
  readonly blockedOn: string | null;
  readonly next: string;
}

export function reportOf(document: unknown, hasher: Hasher): RunReport {
  const verified = requireVerifiedExport(document, hasher);
  const rows = (path: string) => asList(exported(verified, path)).map(asRecord);
  const state = asRecord(exported(verified, FILES.state)) as unknown as RunState;
  const own = (row: LooseRecord) => row.run_id === state.run_id;
  const turns = rows(FILES.history).filter(own);
  const ledger = rows(FILES.ledger).filter(own);
  return {
    project: String(asRecord(asRecord(exported(verified, FILES.config)).project).name ?? ''),
    runId: state.run_id,
    status: state.status,
    phase: state.phase,
    spentUsd: state.budget_status?.spent_usd ?? 0,
    turns,
    decisions: ledger.filter((row) => isString(row.id)),
    objections: turns.flatMap((turn) =>
      asList(turn.objections).map((raw) => ({ turn_id: turn.turn_id, role: turn.role, ...asRecord(raw) })),
    ),
    gates: state.phase_gate_status ?? {},
    approvals: ledger.filter((row) => isString(row.decision) && row.decision.endsWith('_approved')),
    delegations: turns.flatMap((turn) => asList(turn.delegations_issued).map(asRecord)),
    hooks: rows(FILES.hookAudit).filter(own),
    blockedOn: state.blocked_on,
    next: nextCommand(state),
  };
}
