import type { Hasher } from '../../kernel/hasher.ts';
import { isUuidShaped } from '../../kernel/ids.ts';
import { eventPreimage, GENESIS_HASH, TRACE_VERSION } from '../../kernel/trace/event.ts';
import { isEventType } from '../../kernel/trace/event-types.ts';
import type { ChainRow } from '../chain.ts';
import type { WireRow } from '../stored-event.ts';
import type { ProblemName, Problems } from './report.ts';

export interface CheckedRow extends WireRow {
  readonly project_id: string;
  readonly leaf: number | null;
  readonly project_seq: number | null;
}

interface Progress {
  readonly chain: ChainRow;
  index: number;
  nextSequence: number;
  head: string;
}

const HASH = /^[0-9a-f]{64}$/;
/** As we write it, to the microsecond. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/**
 * Judges the events of all chains as they come in the order of their leaves. Only chains that have begun and not yet
 * reached their head are held, so that memory follows the sessions of one time, not those of all times.
 */
export class ChainCheck {
  readonly #hasher: Hasher;
  readonly #problems: Problems;
  readonly #open = new Map<string, Progress>();
  readonly #atHead = new Set<Progress>();
  pruned = 0;

  constructor(hasher: Hasher, problems: Problems) {
    this.#hasher = hasher;
    this.#problems = problems;
  }

  /** Chains of which `begin` must be told before their first event is pushed. */
  unknown(rows: readonly CheckedRow[]): string[] {
    const missing = new Set<string>();
    for (const row of rows) if (!this.#open.has(row.chain_id)) missing.add(row.chain_id);
    return [...missing];
  }

  begin(chain: ChainRow): void {
    this.#open.set(chain.chain_id, { chain, index: 0, nextSequence: 0, head: GENESIS_HASH });
  }

  push(row: CheckedRow): void {
    const progress = this.#open.get(row.chain_id);
    if (!progress) {
      this.#report('chain_unknown', 'The event stands on a chain that is not there.', row);
      return;
    }
    const { chain } = progress;
    this.#checkPlace(progress, row);
    this.#checkHash(progress, row);
    if (row.trace_id !== chain.trace_id) {
      this.#report('trace_mismatch', `Expected trace ${chain.trace_id}.`, row, progress.index);
    }
    if (row.project_id !== chain.project_id) {
      this.#report('project_mismatch', `Expected project ${chain.project_id}.`, row, progress.index);
    }
    const fault = syntaxFault(row, chain);
    if (fault) this.#report('invalid_event', `${fault} is not in its syntax.`, row, progress.index);
    progress.index += 1;
    progress.nextSequence = row.sequence + 1;
    progress.head = row.event_hash;
    if (progress.nextSequence >= chain.next_sequence) this.#atHead.add(progress);
  }

  /** Lets go of chains that have come to their head. Called where no event of theirs can follow in the same batch. */
  settle(): void {
    for (const { chain, head } of this.#atHead) {
      if (head !== chain.head_hash) {
        this.#problems.add({
          error: 'chain_head_mismatch',
          message: `The chain says that it ends in ${chain.head_hash}, its events end in ${head}.`,
          chain_id: chain.chain_id,
        });
      }
      this.#open.delete(chain.chain_id);
    }
    this.#atHead.clear();
  }

  finish(): void {
    this.settle();
    for (const [chainId, { chain, nextSequence }] of this.#open) {
      this.#problems.add({
        error: 'chain_cut',
        message: `The chain says that it has ${chain.next_sequence} events, but ends after ${nextSequence}.`,
        chain_id: chainId,
      });
    }
  }

  #checkPlace(progress: Progress, row: CheckedRow): void {
    const { index, nextSequence, head, chain } = progress;
    if (index === 0 && row.sequence >= chain.next_sequence) {
      this.#report('event_beyond_head', `The chain ends before sequence ${chain.next_sequence}.`, row);
      return;
    }
    if (row.previous_event_hash !== head) {
      const name = index === 0 ? 'invalid_genesis' : 'chain_broken';
      this.#report(name, `Expected a link to ${head}, found ${row.previous_event_hash}.`, row, index);
    }
    if (row.sequence !== nextSequence) {
      this.#report('sequence_gap', `Expected sequence ${nextSequence}, found ${row.sequence}.`, row, index);
    }
  }

  #checkHash({ index, chain }: Progress, row: CheckedRow): void {
    if (row.payload === null) {
      if (row.sequence <= chain.pruned_through) this.pruned += 1;
      else this.#report('payload_missing', 'The payload is gone, and not by retention.', row, index);
      return;
    }
    const preimage = eventPreimage(
      {
        trace_version: TRACE_VERSION,
        event_id: row.event_id,
        trace_id: row.trace_id,
        span_id: row.span_id,
        parent_span_id: row.parent_span_id,
        session_id: row.chain_id,
        sequence: row.sequence,
        timestamp: row.timestamp,
        event_type: row.event_type,
        previous_event_hash: row.previous_event_hash,
      },
      row.payload,
    );
    if (this.#hasher.hex(preimage) !== row.event_hash) {
      this.#report('hash_mismatch', 'The hash is not that of the event.', row, index);
    }
  }

  #report(error: ProblemName, message: string, row: CheckedRow, index?: number): void {
    this.#problems.add({
      error,
      message,
      chain_id: row.chain_id,
      ...(index === undefined ? {} : { index }),
      sequence: row.sequence,
      ...(row.leaf === null ? {} : { leaf: row.leaf }),
    });
  }
}

/** The preimage has no delimiters: only fields in their syntax keep two events from sharing one. */
function syntaxFault(row: CheckedRow, chain: ChainRow): string | undefined {
  if (!isUuidShaped(row.event_id)) return 'event_id';
  if (!isUuidShaped(row.trace_id)) return 'trace_id';
  if (!isUuidShaped(row.span_id)) return 'span_id';
  if (row.parent_span_id !== null && !isUuidShaped(row.parent_span_id)) return 'parent_span_id';
  if (!isUuidShaped(row.chain_id)) return 'session_id';
  if (!TIMESTAMP.test(row.timestamp)) return 'timestamp';
  if (!isEventType(chain.kind, row.event_type)) return 'event_type';
  if (!HASH.test(row.event_hash)) return 'event_hash';
  if (row.payload !== null && !(row.payload.startsWith('{') && row.payload.endsWith('}'))) return 'payload';
  return undefined;
}
