import { BatonError } from '../../../kernel/error.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { parseCheckpoint } from '../../../kernel/note/checkpoint.ts';
import { type VerifyEd25519, verifyNote } from '../../../kernel/note/signed-note.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { type ChainRow, countChains, selectChains } from '../chains/chain-store.ts';
import { type PayloadCodec, plainPayloads } from '../events/payload-codec.ts';
import { selectHead, selectProjectCounters } from '../numbers/number-store.ts';
import { createSequencer } from '../numbers/sequencer.ts';
import { linkOf } from '../tree/checkpoint-link.ts';
import { originOf, parseTrustedKeys, parseWitnessKeys } from '../tree/signing-key.ts';
import { lastCheckpoint } from '../tree/tree-store.ts';
import { ChainCheck } from './chain-check.ts';
import { reportChainsWithoutEvents } from './chains-without-events.ts';
import { type CheckedEvent, placeOf } from './checked-event.ts';
import { CheckpointCheck, type Trust } from './checkpoint-check.ts';
import { checkCosignatures } from './cosignature-check.ts';
import type { DerivedCheck } from './derived-slot.ts';
import { KeptCheck, type KeptQuestion } from './kept-check.ts';
import { NumberCheck } from './number-check.ts';
import { type DerivedReport, Faults, type JournalReport } from './report.ts';
import type { OpenStateCheck } from './state-slot.ts';
import { TreeCheck } from './tree-check.ts';
import { readNumbered, readPrunings, readUnnumbered } from './verify-store.ts';

export interface VerifyOptions {
  readonly hasher: Hasher;
  readonly verifyEd25519: VerifyEd25519;
  /** Keys whose checkpoints are trusted, as `name+id+key`. */
  readonly trustedKeys: readonly string[];
  readonly payloads?: PayloadCodec;
  /** Compares the tables with what the events say of them; without it, only the events are verified. */
  readonly state?: OpenStateCheck;
  /** Compares tables that are made from others; without it, they are left out. */
  readonly derived?: readonly DerivedCheck[] | undefined;
  readonly kept?: KeptQuestion | undefined;
  /** Witnesses whose stored cosignatures are checked, as `name+id+key`. */
  readonly witnessKeys?: readonly string[] | undefined;
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
  const faults = new Faults();
  try {
    await createSequencer(db).run();
    return await db.read((reader) => verifyView(reader, options, faults));
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    faults.add({ ...UNREADABLE, message: `${UNREADABLE.message} ${error.message}` });
    return { ...NOT_READ, faults: faults.list, fault_count: faults.count };
  }
}

const UNREADABLE = {
  kind: 'value_unreadable',
  message: 'The store holds a value that Baton never writes, so that the rest could not be verified.',
} as const;
const NOT_READ = {
  valid: false,
  ...{ events: 0, chains: 0, pruned: 0, checkpoints: 0, root: '', kept: null, state: null, derived: null },
} as const;

/** An integer that is too large to be read, or to go on behind. */
function isUnreadable(error: unknown): error is Error {
  return error instanceof RangeError || (error instanceof BatonError && error.code === 'value_not_storable');
}

async function verifyView(reader: Reader, options: VerifyOptions, faults: Faults): Promise<JournalReport> {
  const { hasher, progress, pause } = options;
  const source = { reader, payloads: options.payloads ?? plainPayloads };
  const batch = options.batch ?? DEFAULT_BATCH;
  const chains = new ChainCheck(hasher, faults);
  const numbers = new NumberCheck(faults);
  const trust = { keys: parseTrustedKeys(options.trustedKeys), verify: options.verifyEd25519 };
  const head = await selectHead(reader);
  const origin = head?.store_id ? originOf(head.store_id) : undefined;
  const checkpoints = new CheckpointCheck(hasher, trust, origin, faults);
  const kept = options.kept && keptCheck(options, options.kept, origin, faults);
  await kept?.add(options.kept?.notes ?? []);
  const tree = new TreeCheck(hasher, reader, checkpoints, kept, faults);
  const unrecorded = !(await vouchesForPrunings(reader, trust));
  const state = options.state?.(reader, faults);
  const total = head?.next_leaf ?? 0;
  let events = 0;

  async function pushChains(rows: readonly CheckedEvent[]): Promise<readonly boolean[]> {
    chains.settle();
    const begun = await selectChains(reader, chains.unknown(rows));
    const prunings = await readPrunings(source, recordsNamedBy(begun));
    for (const chain of begun) {
      chains.begin(chain, prunings.get(`${chain.pruned_by} ${chain.chain_id}`), unrecorded);
    }
    const pruned = rows.map((row) => chains.push(row));
    events += rows.length;
    progress?.(events, total);
    await pause?.();
    return pruned;
  }

  for (let after = -1; ; ) {
    const rows = await readNumbered(source, after, batch);
    const pruned = await pushChains(rows);
    rows.forEach((row, at) => {
      numbers.push(row, pruned[at] === true);
    });
    await tree.push(rows.map((row) => row.eventHash));
    await state?.push(rows);
    if (rows.length < batch) break;
    after = rows.at(-1)?.leaf ?? after;
  }
  for (let after = 0; ; ) {
    const { events: rows, last } = await readUnnumbered(source, after, batch);
    if (last === undefined) break;
    await pushChains(rows);
    await state?.push(rows);
    if (reader.engine === 'sqlite') {
      for (const row of rows) {
        faults.add({ kind: 'event_unnumbered', message: 'The event has no number.', ...placeOf(row) });
      }
    }
    after = last;
  }

  chains.finish();
  await reportChainsWithoutEvents(reader, faults);
  numbers.finish(head, await selectProjectCounters(reader));
  await tree.finish(head?.signed_size ?? 0);
  const stateReport = (await state?.finish()) ?? null;
  const derived = options.derived ? await compareDerived(reader, options.derived, faults, pause) : null;
  const witnesses = parseWitnessKeys([...(options.witnessKeys ?? []), ...(options.kept?.witnessKeys ?? [])]);
  await checkCosignatures(reader, { witnesses, verify: trust.verify }, faults, (key, size, time) =>
    kept?.witnessed(key, size, time),
  );
  const keptReport = kept?.finish(tree.size) ?? null;
  return {
    valid: faults.count === 0,
    events,
    chains: await countChains(reader),
    pruned: chains.pruned,
    checkpoints: checkpoints.count,
    root: tree.root(),
    kept: keptReport,
    state: stateReport,
    derived,
    faults: faults.list,
    fault_count: faults.count,
  };
}

const NOT_COMPARED = {
  kind: 'derived_not_compared',
  message: 'What these tables are made from cannot be read, so that they were not compared.',
} as const;

async function compareDerived(
  reader: Reader,
  checks: readonly DerivedCheck[],
  faults: Faults,
  pause: VerifyOptions['pause'],
): Promise<DerivedReport> {
  let rows = 0;
  let stopped: unknown;
  const turn = async () => {
    try {
      await pause?.();
    } catch (reason) {
      stopped = reason;
      throw reason;
    }
  };
  for (const check of checks) {
    try {
      rows += await check.run(reader, faults, turn);
    } catch (error) {
      // A row that was edited may be one they are made from. Where none is wrong, the error is ours and no finding.
      if (error === stopped || faults.count === 0) throw error;
      faults.add({ ...NOT_COMPARED, table: check.tables.join(', ') });
    }
  }
  return { tables: checks.flatMap(({ tables }) => tables).length, rows };
}

function keptCheck(
  { verifyEd25519: verify, trustedKeys }: VerifyOptions,
  { keys, witnessKeys }: KeptQuestion,
  origin: string | undefined,
  faults: Faults,
): KeptCheck {
  const trusted = parseTrustedKeys(keys.length > 0 ? keys : trustedKeys);
  return new KeptCheck({ keys: trusted, witnesses: parseWitnessKeys(witnessKeys), verify, origin }, faults);
}

function recordsNamedBy(chains: readonly ChainRow[]): string[] {
  return [...new Set(chains.flatMap(({ pruned_by }) => pruned_by ?? []))];
}

/**
 * Payloads that an earlier version dropped have no record until the first checkpoint with a link is signed, which is
 * done only once all of them have one.
 */
async function vouchesForPrunings(reader: Reader, trust: Trust): Promise<boolean> {
  const last = await lastCheckpoint(reader);
  if (!last) return false;
  try {
    const { text } = await verifyNote(last.note, trust.keys, trust.verify);
    return linkOf(parseCheckpoint(text)) !== undefined;
  } catch (error) {
    // It is reported where it stands; what nobody vouches for is not excused by it.
    if (error instanceof BatonError) return true;
    throw error;
  }
}
