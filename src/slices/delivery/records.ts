import type { LooseRecord } from '../../kernel/json/loose.ts';

/** A row of `history.jsonl`: one accepted turn. */
export interface HistoryRow extends LooseRecord {
  readonly turn_id: string;
  readonly run_id: string;
  readonly role: string;
  readonly runtime_id: string;
  readonly status: string;
  readonly phase: string;
  readonly summary: string;
  readonly files_changed: readonly string[];
  readonly accepted_sequence: number;
  readonly assigned_sequence: number;
  readonly accepted_at: string;
}

/** A row of `decision-ledger.jsonl`: a decision, or a governance entry marked by `decision` or `type`. */
export type LedgerRow = LooseRecord;

/** A row of `repo-decisions.jsonl`; the last row of an id is the one in force. */
export interface RepoDecision extends LooseRecord {
  readonly id: string;
  readonly run_id: string;
  readonly turn_id: string;
  readonly role: string;
  readonly phase: string;
  readonly category: string;
  readonly statement: string;
  readonly rationale: string;
  readonly durability: 'repo';
  readonly overrides: string | null;
  readonly status: 'active' | 'overridden';
  readonly overridden_by: string | null;
  readonly created_at: string;
}

/** An event as a rule states it; the writer adds its id and timestamp. */
export interface EventDraft {
  readonly event_type: string;
  readonly run_id: string | null;
  readonly phase: string | null;
  readonly status: string | null;
  readonly turn: { readonly turn_id: string; readonly role_id: string } | null;
  readonly payload: LooseRecord;
}

export interface RunEvent extends EventDraft {
  readonly event_id: string;
  readonly timestamp: string;
  readonly intent_id: string | null;
}
