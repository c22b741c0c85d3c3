import type { Hasher } from '../../../kernel/hasher.ts';
import { GENESIS_HASH } from '../../../kernel/trace/event.ts';
import { isEventType } from '../../../kernel/trace/event-types.ts';
import type { ChainRow } from '../chains/chain-store.ts';
import { type CheckedEvent, placeOf } from './checked-event.ts';
import type { Faults } from './report.ts';

interface Progress {
  readonly chain: ChainRow;
  index: number;
  nextSequence: number;
  head: string;
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

  begin(chain: ChainRow): void {
    this.#open.set(chain.chain_id, { chain, index: 0, nextSequence: 0, head: GENESIS_HASH });
  }

  push(event: CheckedEvent): void {
    const progress = this.#open.get(event.chainId);
    if (!progress) {
      this.#report('chain_unknown', 'The event is on a chain that does not exist.', event);
      return;
    }
    const { chain } = progress;
    this.#checkPlace(progress, event);
    this.#checkHash(progress, event);
    if (event.traceId !== chain.trace_id) {
      this.#report('trace_mismatch', `Expected trace ${chain.trace_id}.`, event);
    }
    if (event.projectId !== chain.project_id) {
      this.#report('project_mismatch', `Expected project ${chain.project_id}.`, event);
    }
    const fault = event.fault ?? (isEventType(chain.kind, event.eventType) ? undefined : 'event_type');
    if (fault) this.#report('invalid_event', `${fault} has an invalid syntax.`, event);
    progress.index += 1;
    progress.nextSequence = event.sequence + 1;
    progress.head = event.eventHash;
    if (progress.nextSequence >= chain.next_sequence) this.#atHead.add(progress);
  }

  /** Releases chains that have reached their head. Called when no event of theirs can follow in the same batch. */
  settle(): void {
    for (const { chain, head } of this.#atHead) {
      if (head !== chain.head_hash) {
        this.#faults.add({
          kind: 'chain_head_mismatch',
          message: `The chain should end in ${chain.head_hash}, but its events end in ${head}.`,
          chain: chain.chain_id,
          table: 'chains',
          key: chain.chain_id,
        });
      }
      this.#open.delete(chain.chain_id);
    }
    this.#atHead.clear();
  }

  finish(): void {
    this.settle();
    for (const [chainId, { chain, nextSequence }] of this.#open) {
      this.#faults.add({
        kind: 'chain_cut',
        message: `The chain should have ${chain.next_sequence} events, but ends after ${nextSequence}.`,
        chain: chainId,
        table: 'chains',
        key: chainId,
      });
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

  #checkHash({ chain }: Progress, event: CheckedEvent): void {
    if (event.preimage === null) {
      if (event.sequence <= chain.pruned_through) this.pruned += 1;
      else this.#report('payload_missing', 'The payload is missing, and retention did not drop it.', event);
      return;
    }
    if (this.#hasher.hex(event.preimage) !== event.eventHash) {
      this.#report('hash_mismatch', 'The hash does not match the event.', event);
    }
  }

  #report(kind: string, message: string, event: CheckedEvent): void {
    this.#faults.add({ kind, message, ...placeOf(event) });
  }
}
