import type { Hasher } from '../../../kernel/hasher.ts';
import type { VerifyEd25519 } from '../../../kernel/note/signed-note.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { countChains, selectChains, selectEmptiedChains } from '../chains/chain-store.ts';
import { type PayloadCodec, plainPayloads } from '../events/payload-codec.ts';
import { selectProjectCounters, selectTreeSize } from '../numbers/number-store.ts';
import { createSequencer } from '../numbers/sequencer.ts';
import { parseTrustedKeys } from '../tree/signing-key.ts';
import { ChainCheck } from './chain-check.ts';
import { type CheckedEvent, placeOf } from './checked-event.ts';
import { NumberCheck } from './number-check.ts';
import { Faults, type JournalReport } from './report.ts';
import type { OpenStateCheck } from './state-slot.ts';
import { TreeCheck } from './tree-check.ts';
import { readNumbered, readUnnumbered } from './verify-store.ts';

export interface VerifyOptions {
  readonly hasher: Hasher;
  readonly verifyEd25519: VerifyEd25519;
  /** Keys whose checkpoints are trusted, as `name+id+key`. */
  readonly trustedKeys: readonly string[];
  readonly payloads?: PayloadCodec;
  /** Compares the tables with what the events say of them; without it, only the events are verified. */
  readonly state?: OpenStateCheck;
  readonly batch?: number;
  readonly progress?: (events: number, total: number) => void;
  /** Awaited between batches, to yield the thread. */
  readonly pause?: () => Promise<void>;
}

const DEFAULT_BATCH = 2000;

/**
 * Verifies the whole store in one pass and one consistent view: every chain, number, tree node and checkpoint. Streams
 * in the order of leaves; memory does not grow with the journal.
 */
export async function verifyJournal(db: Database, options: VerifyOptions): Promise<JournalReport> {
  await createSequencer(db).run();
  return db.read((reader) => verifyView(reader, options));
}

async function verifyView(reader: Reader, options: VerifyOptions): Promise<JournalReport> {
  const { hasher, progress, pause } = options;
  const source = { reader, payloads: options.payloads ?? plainPayloads };
  const batch = options.batch ?? DEFAULT_BATCH;
  const faults = new Faults();
  const chains = new ChainCheck(hasher, faults);
  const numbers = new NumberCheck(faults);
  const trust = { keys: parseTrustedKeys(options.trustedKeys), verify: options.verifyEd25519 };
  const tree = new TreeCheck(hasher, reader, trust, faults);
  const state = options.state?.(reader, faults);
  const total = await selectTreeSize(reader);
  let events = 0;

  async function pushChains(rows: readonly CheckedEvent[]): Promise<void> {
    chains.settle();
    for (const chain of await selectChains(reader, chains.unknown(rows))) chains.begin(chain);
    for (const row of rows) chains.push(row);
    events += rows.length;
    progress?.(events, total);
    await pause?.();
  }

  for (let after = -1; ; ) {
    const rows = await readNumbered(source, after, batch);
    await pushChains(rows);
    for (const row of rows) numbers.push(row);
    await tree.push(rows.map((row) => row.eventHash));
    await state?.push(rows);
    if (rows.length < batch) break;
    after = rows.at(-1)?.leaf ?? after;
  }
  for (let skip = 0; ; ) {
    const rows = await readUnnumbered(source, skip, batch);
    await pushChains(rows);
    await state?.push(rows);
    if (reader.engine === 'sqlite') {
      for (const row of rows) {
        faults.add({ kind: 'event_unnumbered', message: 'The event has no number.', ...placeOf(row) });
      }
    }
    if (rows.length < batch) break;
    skip += rows.length;
  }

  chains.finish();
  await reportEmptiedChains(reader, faults);
  numbers.finish(total, await selectProjectCounters(reader));
  const root = await tree.finish();
  const stateReport = (await state?.finish()) ?? null;
  return {
    valid: faults.count === 0,
    events,
    chains: await countChains(reader),
    pruned: chains.pruned,
    checkpoints: tree.checkpoints,
    root,
    state: stateReport,
    faults: faults.list,
    fault_count: faults.count,
  };
}

/** A chain all of whose events are gone is met by no event. */
async function reportEmptiedChains(reader: Reader, faults: Faults): Promise<void> {
  for (const { chain_id, next_sequence } of await selectEmptiedChains(reader)) {
    faults.add({
      kind: 'chain_cut',
      message: `The chain should have ${next_sequence} events, and has none.`,
      chain: chain_id,
      table: 'chains',
      key: chain_id,
    });
  }
}
