import { formatMillis } from '../../../kernel/instant.ts';
import type { JobHandler } from '../../../spine/jobs/handler.ts';
import type { Leftover } from '../../../spine/storage/database.ts';
import { storageErrors } from '../../../spine/storage/errors.ts';
import type { MemoryDeps } from '../ports.ts';
import { removeSome } from './remove.ts';
import { ERASURE_JOB } from './request.ts';
import { type Erasure, markCompacted, selectErasure, selectErasures } from './store.ts';

const ERASURES_AT_ONCE = 1000;

/**
 * Goes on from wherever the erasure stands, and may be called by several at once: each step commits and is found done
 * by the next. Once rows are removed no failure is thrown; what is left is in the answer.
 */
export async function carryOut(deps: MemoryDeps, erasureId: string): Promise<Erasure> {
  const { db } = deps;
  while (await db.write((uow) => removeSome(uow, deps, erasureId)));
  const erasure = await db.read((reader) => selectErasure(reader, erasureId));
  if (erasure?.state === 'removed') await compactFor(deps);
  return (await db.read((reader) => selectErasure(reader, erasureId))) as Erasure;
}

/** One rewriting of the store ends every erasure whose rows were gone when it began. */
async function compactFor(deps: MemoryDeps): Promise<void> {
  const { db, clock, jobs } = deps;
  const waiting = await db.read((reader) =>
    selectErasures(reader, { state: 'removed', limit: ERASURES_AT_ONCE }),
  );
  const remains = await leftBy(deps);
  await db.write(async (uow) => {
    const at = formatMillis(clock.now());
    for (const { erasureId } of waiting) {
      await markCompacted(uow, erasureId, remains, at);
      if (remains.length === 0) await jobs.cancel(uow, ERASURE_JOB, erasureId);
    }
  });
}

/** A full disk is no reason to call what was erased an error: it is tried again. */
async function leftBy({ db }: MemoryDeps): Promise<readonly Leftover[]> {
  try {
    return (await db.compact()).remains;
  } catch {
    return ['file'];
  }
}

export function createErasureJob(deps: MemoryDeps): JobHandler {
  return {
    idempotent: true,
    async run({ key }) {
      const { state } = await carryOut(deps, key);
      if (state !== 'done') throw storageErrors.storage_locked();
    },
  };
}
