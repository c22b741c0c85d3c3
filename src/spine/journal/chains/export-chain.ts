import type { Database } from '../../storage/database.ts';
import { selectChainEvents } from '../events/event-store.ts';
import { plainPayloads } from '../events/payload-codec.ts';
import { wireLineOf } from '../events/stored-event.ts';

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
    const page = { after, limit: BATCH };
    const rows = await db.read((reader) => selectChainEvents(reader, payloads, chainId, page));
    for (const row of rows) yield `${wireLineOf(row)}\n`;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = last.sequence;
  }
}
