import type { ChainKind } from '../../../kernel/trace/event-types.ts';
import type { Reader } from '../../storage/database.ts';

/**
 * A session owns two chains: its trace, closed by `session.ended` and made of CRA's event types only, and its ledger,
 * which takes every other event and stays open.
 */
export interface ChainRef {
  readonly sessionId: string;
  readonly kind: ChainKind;
}

export interface Chain extends ChainRef {
  /** What stands as `session_id` in the chain's events: the session's own id on its trace. */
  readonly chainId: string;
  readonly projectId: string;
  readonly traceId: string;
  readonly nextSequence: number;
  readonly headHash: string;
  readonly lastTime: number;
  readonly ended: boolean;
  /** The last sequence whose payload retention has dropped; -1 while all are kept. */
  readonly prunedThrough: number;
}

export interface ChainRow {
  readonly chain_id: string;
  readonly session_id: string;
  readonly project_id: string;
  readonly kind: ChainKind;
  readonly trace_id: string;
  readonly next_sequence: number;
  readonly head_hash: string;
  readonly last_time_us: number;
  readonly ended: number;
  readonly pruned_through: number;
}

export const CHAIN_COLUMNS =
  'chain_id, session_id, project_id, kind, trace_id, next_sequence, head_hash, last_time_us, ended, pruned_through';

export function chainOf(row: ChainRow): Chain {
  return {
    chainId: row.chain_id,
    sessionId: row.session_id,
    projectId: row.project_id,
    kind: row.kind,
    traceId: row.trace_id,
    nextSequence: row.next_sequence,
    headHash: row.head_hash,
    lastTime: row.last_time_us,
    ended: row.ended === 1,
    prunedThrough: row.pruned_through,
  };
}

export async function findChain(reader: Reader, ref: ChainRef): Promise<Chain | undefined> {
  const row = await reader.get<ChainRow>(
    `select ${CHAIN_COLUMNS} from chains where session_id = ? and kind = ?`,
    [ref.sessionId, ref.kind],
  );
  return row && chainOf(row);
}
