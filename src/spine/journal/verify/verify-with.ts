import { ed25519, nodeHasher, nodeRandom } from '../../../platform/index.ts';
import type { Database } from '../../storage/database.ts';
import type { TableDeclarations } from '../../storage/tables.ts';
import { payloadCodec } from '../events/payload-codec.ts';
import { stateCheck } from '../state/state-check.ts';
import type { KeptQuestion } from './kept-check.ts';
import type { JournalReport } from './report.ts';
import { verifyJournal } from './verify-journal.ts';

export interface VerifyWith {
  readonly trustedKeys: readonly string[];
  /** The keys that payloads are encrypted with. */
  readonly payloadKeys: readonly Uint8Array[];
  readonly declarations: TableDeclarations;
  /** Leaves out the tables beside the journal. */
  readonly eventsOnly: boolean;
  readonly witnessKeys?: readonly string[] | undefined;
  readonly kept?: KeptQuestion | undefined;
  readonly batch?: number;
  readonly progress?: (events: number, total: number) => void;
  readonly pause: () => Promise<void>;
}

/** The same verification in a thread of its own and in this one. */
export function verifyWith(db: Database, options: VerifyWith): Promise<JournalReport> {
  const { declarations, eventsOnly, payloadKeys, ...rest } = options;
  const payloads = payloadCodec(payloadKeys);
  return verifyJournal(db, {
    ...rest,
    hasher: nodeHasher,
    verifyEd25519: ed25519.verify,
    payloads,
    ...(eventsOnly
      ? {}
      : {
          state: stateCheck({
            declarations,
            hasher: nodeHasher,
            payloads,
            seed: newSeed(),
            pause: rest.pause,
          }),
        }),
  });
}

function newSeed(): [number, number] {
  const { buffer, byteOffset } = nodeRandom.bytes(8);
  const words = new DataView(buffer, byteOffset, 8);
  return [words.getUint32(0), words.getUint32(4)];
}
