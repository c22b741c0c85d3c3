import type { Hasher } from '../../../kernel/hasher.ts';
import { isRecord } from '../../../kernel/json/loose.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';

/** Retention of this version, and what was found dropped by an earlier one, which left no record. */
export const RETENTION_APPLIED = 'retention.applied';
export const RETENTION_ADOPTED = 'retention.adopted';

/** What is on record of a chain whose payloads were dropped. */
export interface PrunedChain {
  readonly chainId: string;
  /** The last sequence without a payload. */
  readonly through: number;
  /** Over all that is left of those events; see `skeletonDigest`. */
  readonly digest: string;
}

/** What is left of an event without its payload: the hash no longer covers it, so the record of the pruning does. */
export interface Skeleton {
  readonly event_hash: string;
  readonly previous_event_hash: string;
  readonly trace_id: string;
  readonly event_id: string;
  readonly span_id: string;
  readonly timestamp: string;
  readonly parent_span_id: string | null;
  readonly sequence: number;
  readonly event_type: string;
}

export function skeletonText(event: Skeleton): string {
  return [
    event.event_hash,
    event.previous_event_hash,
    event.trace_id,
    event.event_id,
    event.span_id,
    event.timestamp,
    event.parent_span_id ?? '-',
    event.sequence,
    event.event_type,
  ].join(' ');
}

/** Folded over the events in order, beginning with the empty text. */
export function skeletonDigest(hasher: Hasher, before: string, skeleton: string): string {
  return hasher.hex(`${before}\n${skeleton}`);
}

export function pruningPayload(chains: readonly PrunedChain[]): JsonObject {
  return {
    chains: chains.map(({ chainId, through, digest }) => ({ chain_id: chainId, through, digest })),
  };
}

export function prunedChainsOf(payload: unknown): PrunedChain[] {
  if (!isRecord(payload) || !Array.isArray(payload.chains)) return [];
  return payload.chains.flatMap((chain: unknown) => {
    if (!isRecord(chain)) return [];
    const { chain_id, through, digest } = chain;
    if (typeof chain_id !== 'string' || typeof through !== 'number' || typeof digest !== 'string') return [];
    return [{ chainId: chain_id, through, digest }];
  });
}
