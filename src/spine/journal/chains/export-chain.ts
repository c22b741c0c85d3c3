import type { Database } from '../../storage/database.ts';
import { openRow, plainPayloads } from '../events/payload-codec.ts';
import { WIRE_COLUMNS, type WireRow, wireLineOf } from '../events/stored-event.ts';

const BATCH = 1000;

/**
 * The lines of a `.trace.jsonl` file, each with its line end: byte for byte what was hashed, so that any verifier takes
 * them. A chain that grows meanwhile is exported up to where it stood when the last batch was read.
 */
export async function* exportChain(
  db: Database,
  chainId: string,
  payloads = plainPayloads,
): AsyncGenerator<string> {
  let after = -1;
  for (;;) {
    const rows = await db.read((reader) =>
      reader.all<WireRow>(
        `select ${WIRE_COLUMNS} from events where chain_id = ? and sequence > ? order by sequence limit ?`,
        [chainId, after, BATCH],
      ),
    );
    for (const row of rows) yield `${wireLineOf(openRow(row, payloads))}\n`;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = last.sequence;
  }
}
