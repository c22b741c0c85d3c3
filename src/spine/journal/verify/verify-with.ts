import { ed25519, nodeHasher, nodeRandom } from '../../../platform/index.ts';
import type { Database } from '../../storage/database.ts';
import type { StepName, StepTexts } from '../../storage/migrate.ts';
import type { DatabaseOptions } from '../../storage/options.ts';
import { findUnsound } from '../../storage/schema/unsound-file.ts';
import type { TableDeclarations } from '../../storage/tables.ts';
import { payloadCodec } from '../events/payload-codec.ts';
import type { Rewrite } from '../state/rewrite.ts';
import { stateCheck } from '../state/state-check.ts';
import type { DerivedCheck } from './derived-slot.ts';
import type { KeptQuestion } from './kept-check.ts';
import type { JournalReport } from './report.ts';
import { schemaCheck } from './schema-check.ts';
import { stepsCheck } from './steps-check.ts';
import { verifyJournal } from './verify-journal.ts';

/** How a store is opened in which somebody may have written what Baton never writes. */
export const AS_IT_IS: DatabaseOptions = { inexactIntegers: true };

export interface VerifyWith {
  readonly trustedKeys: readonly string[];
  /** The keys that payloads are encrypted with. */
  readonly payloadKeys: readonly Uint8Array[];
  readonly declarations: TableDeclarations;
  readonly derived: readonly DerivedCheck[];
  /** What the program knows of the schema: its steps, and which of them rewrote rows. */
  readonly steps: readonly StepName[];
  readonly rewrites: readonly Rewrite[];
  /** What makes the store's tables, indexes and triggers; none if they are not to be compared. */
  readonly schema: readonly StepTexts[];
  /** Leaves out the tables beside the journal. */
  readonly eventsOnly: boolean;
  /** Leaves out only tables that are made from others. */
  readonly withoutDerived: boolean;
  readonly witnessKeys?: readonly string[] | undefined;
  readonly kept?: KeptQuestion | undefined;
  readonly batch?: number;
  readonly progress?: (events: number, total: number) => void;
  readonly pause: () => Promise<void>;
}

/** The same verification in a thread of its own and in this one. */
export function verifyWith(db: Database, options: VerifyWith): Promise<JournalReport> {
  const { declarations, derived, steps, rewrites, schema, eventsOnly, withoutDerived, payloadKeys, ...rest } =
    options;
  const payloads = payloadCodec(payloadKeys);
  const compared = !eventsOnly && !withoutDerived && schema.length > 0;
  // Begun first, and asked for last: meanwhile everything else is verified.
  const unsound = compared ? findUnsound(db) : undefined;
  unsound?.catch(() => undefined);
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
            rewrites,
            pause: rest.pause,
          }),
        }),
    ...(eventsOnly || withoutDerived
      ? {}
      : {
          derived: [
            ...(steps.length > 0 ? [stepsCheck(steps)] : []),
            ...(unsound ? [schemaCheck(schema, unsound)] : []),
            ...derived,
          ],
        }),
  });
}

function newSeed(): [number, number] {
  const { buffer, byteOffset } = nodeRandom.bytes(8);
  const words = new DataView(buffer, byteOffset, 8);
  return [words.getUint32(0), words.getUint32(4)];
}
