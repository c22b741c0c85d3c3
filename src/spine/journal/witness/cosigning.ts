import type { Clock } from '../../../kernel/clock.ts';
import type { Database, Reader, UnitOfWork } from '../../storage/database.ts';
import type { Tree } from '../tree/tree.ts';
import type { StoredCheckpoint } from '../tree/tree-store.ts';
import { askWitness, type PostText, type WitnessAnswer } from './ask-witness.ts';
import type { Witness } from './witness.ts';
import {
  insertCosignature,
  selectCosignatures,
  selectWitnesses,
  upsertWitness,
  type WitnessRow,
} from './witness-store.ts';

export interface CosigningDeps {
  readonly db: Database;
  readonly tree: Tree;
  readonly clock: Clock;
  readonly witnesses: readonly Witness[];
  readonly post: PostText;
}

export interface WitnessStatus {
  readonly name: string;
  /** The largest size that it has cosigned. */
  readonly cosigned: number;
  /** Why the last request failed; null if it did not. */
  readonly error: string | null;
}

/** The outcome of one request, to be recorded when the job ends. */
export interface Cosigned {
  readonly size: number;
  readonly answer: WitnessAnswer;
}

export interface Cosigning {
  /** Names of witnesses that have not cosigned the newest checkpoint, and may be asked now. */
  due(): Promise<string[]>;
  /** Asks one. Doing it again is harmless: a witness cosigns what it has cosigned. */
  ask(name: string, signal: AbortSignal): Promise<Cosigned | undefined>;
  record(uow: UnitOfWork, name: string, cosigned: Cosigned | undefined): Promise<void>;
  status(reader: Reader): Promise<WitnessStatus[]>;
}

const EVERY_MICROS = 60 * 1e6;
const LONGEST_DOUBLING = 6;

export function createCosigning({ db, tree, clock, witnesses, post }: CosigningDeps): Cosigning {
  async function rowsByName(reader: Reader): Promise<ReadonlyMap<string, WitnessRow>> {
    return new Map((await selectWitnesses(reader)).map((row) => [row.name, row]));
  }
  const rowOf = (rows: ReadonlyMap<string, WitnessRow>, name: string): WitnessRow =>
    rows.get(name) ?? { name, cosigned_size: 0, tried_us: 0, failures: 0, error: null };

  return {
    async due() {
      const last = await tree.latestCheckpoint();
      if (!last || witnesses.length === 0) return [];
      const rows = await db.read(rowsByName);
      const now = clock.now();
      return witnesses.flatMap(({ key: { name } }) => {
        const { cosigned_size, tried_us, failures } = rowOf(rows, name);
        const wait = EVERY_MICROS * 2 ** Math.min(failures, LONGEST_DOUBLING);
        const rested = now - tried_us >= wait || now < tried_us;
        return cosigned_size !== last.size && rested ? [name] : [];
      });
    },

    async ask(name, signal) {
      const witness = witnesses.find(({ key }) => key.name === name);
      const last = await tree.latestCheckpoint();
      if (!witness || !last) return undefined;
      const { cosigned_size } = rowOf(await db.read(rowsByName), name);
      const answer = await askWitness({
        witness,
        note: last.note,
        size: last.size,
        oldSize: cosigned_size,
        proofFrom: async (size) => (await tree.consistency(size, last.size)).path,
        post,
        signal,
      });
      return { size: last.size, answer };
    },

    async record(uow, name, cosigned) {
      if (!cosigned) return;
      const { size, answer } = cosigned;
      const before = rowOf(await rowsByName(uow), name);
      const tried_us = clock.now();
      if ('cosigned' in answer) {
        const { line, seconds } = answer.cosigned;
        await insertCosignature(uow, { size, witness: name, line, time_s: seconds });
        await upsertWitness(uow, { name, cosigned_size: size, tried_us, failures: 0, error: null });
      } else {
        const cosigned_size = answer.witnessSize ?? before.cosigned_size;
        const failures = before.failures + 1;
        await upsertWitness(uow, { name, cosigned_size, tried_us, failures, error: answer.failed });
      }
    },

    async status(reader) {
      const rows = await rowsByName(reader);
      return witnesses.map(({ key: { name } }) => {
        const { cosigned_size, error } = rowOf(rows, name);
        return { name, cosigned: cosigned_size, error };
      });
    },
  };
}

/** The note with the cosignatures that it has got since. */
export async function withCosignatures(
  reader: Reader,
  checkpoint: StoredCheckpoint,
): Promise<StoredCheckpoint> {
  const cosignatures = await selectCosignatures(reader, checkpoint.size);
  return { ...checkpoint, note: `${checkpoint.note}${cosignatures.map(({ line }) => line).join('')}` };
}
