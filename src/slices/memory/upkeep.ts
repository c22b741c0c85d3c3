import { selectProfile } from './profiles/store.ts';
import { forgetNonces } from './registry/store.ts';
import type { MemoryService } from './slice.ts';

/** Twice as long as a signature can hold. */
const NONCES_KEPT = 600_000_000;
const PROMOTION_EVERY = 3_600_000_000;

/** Forgets old nonces; promotes, or asks whether to, as the owner has set. Writes nothing when nothing is due. */
export function createMemoryUpkeep({ deps: { db, clock }, promotion }: MemoryService): () => Promise<void> {
  let promoted = clock.now();
  return async () => {
    const now = clock.now();
    const old = await db.read((reader) =>
      reader.get('select 1 as found from memory_nonces where seen_us < ? limit 1', [now - NONCES_KEPT]),
    );
    if (old) await db.write((uow) => forgetNonces(uow, now - NONCES_KEPT));
    if (now - promoted < PROMOTION_EVERY) return;
    promoted = now;
    const rows = await db.read((reader) => reader.all<{ did: string }>('select did from memory_profiles'));
    for (const { did } of rows) {
      const profile = await db.read((reader) => selectProfile(reader, did));
      if (!profile || (await db.read((reader) => promotion.suggestions(reader, profile))).length === 0)
        continue;
      await db.write((uow) => promotion.promoteDue(uow, profile));
    }
  };
}
