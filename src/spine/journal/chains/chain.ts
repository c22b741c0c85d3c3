import { GENESIS_HASH } from '../../../kernel/trace/event.ts';
import type { ChainKind } from '../../../kernel/trace/event-types.ts';

/**
 * A session owns two chains: its trace, closed by `session.ended` and made of CRA's event types only, and its ledger,
 * which takes every other event and stays open.
 */
export interface ChainRef {
  readonly sessionId: string;
  readonly kind: ChainKind;
}

export interface Chain extends ChainRef {
  /** The `session_id` of the chain's events: the session's own id on its trace. */
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

export function newChain(
  { projectId, traceId }: Pick<Chain, 'projectId' | 'traceId'>,
  ref: ChainRef,
  chainId: string,
): Chain {
  return {
    ...ref,
    chainId,
    projectId,
    traceId,
    nextSequence: 0,
    headHash: GENESIS_HASH,
    lastTime: 0,
    ended: false,
    prunedThrough: -1,
  };
}

/** A ledger of no session: it stays open, and retention leaves it alone. */
export function systemLedger(chain: Pick<Chain, 'chainId' | 'projectId' | 'traceId'>): Chain {
  return newChain(chain, { sessionId: chain.chainId, kind: 'ledger' }, chain.chainId);
}

/**
 * Records are numbered apart from the project's own events, so that whoever follows the project counts what happened
 * in it. No project's id begins with a space.
 */
export const recordsOf = (projectId: string) => ` ${projectId}`;

/** Rows of no project. */
export const STORE = recordsOf('');
