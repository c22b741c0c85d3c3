/** A piece of work that waits for a run, as `.agentxchain/intake/<id>.json` keeps it. */
export interface QueuedIntent {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** Where it came from; the same reference is taken in once. */
  readonly source: { readonly kind: 'person' | 'issue' | 'package'; readonly ref: string | null };
  readonly status: 'queued' | 'running' | 'done';
  readonly run_id: string | null;
  readonly created_at: string;
}

export interface NewIntent {
  readonly title: string;
  readonly body?: string;
  readonly source: QueuedIntent['source'];
}

export const INTAKE_FOLDER = '.agentxchain/intake';
