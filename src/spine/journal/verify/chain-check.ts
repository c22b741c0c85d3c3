import type { Hasher } from '../../../kernel/hasher.ts';
import { GENESIS_HASH } from '../../../kernel/trace/event.ts';
import { isEventType } from '../../../kernel/trace/event-types.ts';
import type { ChainRow } from '../chains/chain-store.ts';
import { type PrunedChain, skeletonDigest } from '../chains/pruning-record.ts';
import { type CheckedEvent, placeOf } from './checked-event.ts';
import type { Faults } from './report.ts';

interface Progress {
  readonly chain: ChainRow;
  /** The last sequence whose payload may be missing. */
  readonly mayMissThrough: number;
  /** What the record of the pruning says of the events that are left. */
  readonly prunedDigest: string | undefined;
  index: number;
  nextSequence: number;
  head: string;
  lastTime: number;
  ended: boolean;
  digest: string;
}

/**
 * Judges the events of all chains as they come in the order of their leaves. Only chains that have begun and not yet
 * reached their head are held, so that memory follows the sessions of one time, not those of all times.
 */
export class ChainCheck {
  readonly #hasher: Hasher;
  readonly #faults: Faults;
  readonly #open = new Map<string, Progress>();
  readonly #atHead = new Set<Progress>();
  pruned = 0;

  constructor(hasher: Hasher, faults: Faults) {
    this.#hasher = hasher;
    this.#faults = faults;
  }

  /** Chains that need `begin` before their first event is pushed. */
  unknown(events: readonly CheckedEvent[]): string[] {
    const missing = new Set<string>();
    for (const { chainId } of events) if (!this.#open.has(chainId)) missing.add(chainId);
    return [...missing];
  }

  /** `record` is what an event says of the dropping of its payloads; `unrecorded` accepts that an earlier version left none. */
  begin(chain: ChainRow, record: PrunedChain | undefined, unrecorded: boolean): void {
    const through = chain.pruned_through;
    const recorded = record?.through === through;
    const excused = through < 0 || recorded || (unrecorded && chain.pruned_by === null);
    if (!excused) {
      this.#reportChain(
        'pruning_unrecorded',
        `No event says that payloads up to ${through} were dropped.`,
        chain,
      );
    }
    if (through < -1 || (through === -1 && chain.pruned_by !== null)) {
      this.#reportChain('chain_changed', 'What it says of its pruning contradicts itself.', chain);
    }
    this.#open.set(chain.chain_id, {
      chain,
      mayMissThrough: excused ? through : -1,
      prunedDigest: recorded ? record.digest : undefined,
      index: 0,
      nextSequence: 0,
      head: GENESIS_HASH,
      lastTime: 0,
      ended: false,
      digest: '',
    });
  }

  /** Whether the event has no payload, and may have none. */
  push(event: CheckedEvent): boolean {
    const progress = this.#open.get(event.chainId);
    if (!progress) {
      this.#report('chain_unknown', 'The event is on a chain that does not exist.', event);
      return false;
    }
    const { chain } = progress;
    this.#checkPlace(progress, event);
    const pruned = this.#checkHash(progress, event);
    this.#checkPruned(progress, event);
    if (event.traceId !== chain.trace_id) {
      this.#report('trace_mismatch', `Expected trace ${chain.trace_id}.`, event);
    }
    if (event.projectId !== chain.project_id) {
      this.#report('project_mismatch', `Expected project ${chain.project_id}.`, event);
    }
    if (!event.timeFits) {
      this.#report('time_mismatch', 'The stored instant is not that of the timestamp.', event);
    }
    const fault = event.fault ?? (isEventType(chain.kind, event.eventType) ? undefined : 'event_type');
    if (fault) this.#report('invalid_event', `${fault} has an invalid syntax.`, event);
    progress.index += 1;
    progress.nextSequence = event.sequence + 1;
    progress.head = event.eventHash;
    progress.lastTime = event.time;
    progress.ended = chain.kind === 'trace' && event.eventType === 'session.ended';
    if (progress.nextSequence >= chain.next_sequence) this.#atHead.add(progress);
    return pruned;
  }

  /** Releases chains that have reached their head. Called when no event of theirs can follow in the same batch. */
  settle(): void {
    for (const { chain, head, nextSequence, lastTime, ended } of this.#atHead) {
      if (nextSequence !== chain.next_sequence) {
        const message = `It counts ${chain.next_sequence} events, but has ${nextSequence}.`;
        this.#reportChain('chain_changed', message, chain);
      }
      if (head !== chain.head_hash) {
        const message = `The chain should end in ${chain.head_hash}, but its events end in ${head}.`;
        this.#reportChain('chain_head_mismatch', message, chain);
      }
      if (lastTime !== chain.last_time_us) {
        this.#reportChain('chain_changed', 'Its last instant is not that of its last event.', chain);
      }
      if (chain.ended !== (ended ? 1 : 0)) {
        const message = ended
          ? 'Its last event ends it, but it is marked as open.'
          : 'It is marked as ended, but no event ends it.';
        this.#reportChain('chain_changed', message, chain);
      }
      this.#open.delete(chain.chain_id);
    }
    this.#atHead.clear();
  }

  finish(): void {
    this.settle();
    for (const { chain, nextSequence } of this.#open.values()) {
      const message = `The chain should have ${chain.next_sequence} events, but ends after ${nextSequence}.`;
      this.#reportChain('chain_cut', message, chain);
    }
  }

  #checkPlace(progress: Progress, event: CheckedEvent): void {
    const { index, nextSequence, head, chain } = progress;
    if (index === 0 && event.sequence >= chain.next_sequence) {
      this.#report('event_beyond_head', `The chain ends before sequence ${chain.next_sequence}.`, event);
      return;
    }
    if (event.previousHash !== head) {
      const name = index === 0 ? 'invalid_genesis' : 'chain_broken';
      this.#report(name, `Expected a link to ${head}, found ${event.previousHash}.`, event);
    }
    if (event.sequence !== nextSequence) {
      this.#report('sequence_gap', `Expected sequence ${nextSequence}, found ${event.sequence}.`, event);
    }
  }

  #checkHash({ mayMissThrough }: Progress, event: CheckedEvent): boolean {
    if (event.preimage === null) {
      const pruned = event.sequence <= mayMissThrough;
      if (pruned) this.pruned += 1;
      else this.#report('payload_missing', 'The payload is missing, and retention did not drop it.', event);
      return pruned;
    }
    if (this.#hasher.hex(event.preimage) !== event.eventHash) {
      this.#report('hash_mismatch', 'The hash does not match the event.', event);
    }
    return false;
  }

  /** Without a payload, the hash says nothing of the other fields any more; the record of the pruning does. */
  #checkPruned(progress: Progress, event: CheckedEvent): void {
    const { chain, prunedDigest } = progress;
    if (prunedDigest === undefined || event.sequence > chain.pruned_through) return;
    progress.digest = skeletonDigest(this.#hasher, progress.digest, event.skeleton());
    if (event.sequence !== chain.pruned_through || progress.digest === prunedDigest) return;
    const message = 'What is left of events without a payload is not what the record of their pruning says.';
    this.#reportChain('pruned_event_changed', message, chain);
  }

  #report(kind: string, message: string, event: CheckedEvent): void {
    this.#faults.add({ kind, message, ...placeOf(event) });
  }

  #reportChain(kind: string, message: string, { chain_id }: ChainRow): void {
    this.#faults.add({ kind, message, chain: chain_id, table: 'chains', key: chain_id });
  }
}
