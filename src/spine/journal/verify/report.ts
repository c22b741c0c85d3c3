/** A problem, with everything known about its location. */
export interface Problem {
  readonly error: ProblemName;
  readonly message: string;
  readonly chain_id?: string;
  /** Position in its chain, from 0. */
  readonly index?: number;
  readonly sequence?: number;
  readonly leaf?: number;
  readonly project_id?: string;
  readonly size?: number;
}

export type ProblemName =
  | 'invalid_genesis'
  | 'chain_broken'
  | 'sequence_gap'
  | 'hash_mismatch'
  | 'trace_mismatch'
  | 'invalid_event'
  | 'payload_missing'
  | 'project_mismatch'
  | 'chain_unknown'
  | 'chain_cut'
  | 'chain_head_mismatch'
  | 'event_beyond_head'
  | 'leaf_gap'
  | 'project_gap'
  | 'event_unnumbered'
  | 'counter_mismatch'
  | 'tree_node_mismatch'
  | 'checkpoint_forged'
  | 'checkpoint_key_unknown'
  | 'checkpoint_mismatch'
  | 'journal_cut';

export interface JournalReport {
  readonly valid: boolean;
  readonly events: number;
  readonly chains: number;
  /** Events whose payload retention has dropped: linked and in the tree, but their hash cannot be computed. */
  readonly pruned: number;
  readonly checkpoints: number;
  /** Hex root of the tree over all numbered events. */
  readonly root: string;
  /** The first ones, in the order found. */
  readonly problems: readonly Problem[];
  readonly problem_count: number;
}

/** Kept bounded, because a store that is wrong may be wrong everywhere. */
const KEPT_PROBLEMS = 10_000;

export class Problems {
  readonly list: Problem[] = [];
  count = 0;

  add(problem: Problem): void {
    this.count += 1;
    if (this.list.length < KEPT_PROBLEMS) this.list.push(problem);
  }
}
