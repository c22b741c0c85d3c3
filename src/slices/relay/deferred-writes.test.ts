import { expect, it } from 'vitest';
import type { Database } from '../../spine/storage/database.ts';
import { createDeferredWrites } from './deferred-writes.ts';

/** A store that commits when it is told to. */
function heldStore() {
  const waiting: (() => void)[] = [];
  const write = async (run: (uow: unknown) => Promise<unknown>) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return run({});
  };
  return { db: { write } as unknown as Database, commit: () => waiting.shift()?.() };
}

it('makes those who bring more wait while the store is far behind, and lets them go on once it is not', async () => {
  const { db, commit } = heldStore();
  const deferred = createDeferredWrites(db, (error) => expect.unreachable(String(error)));
  let done = 0;
  expect(deferred.room()).toBeUndefined();
  let added = 0;
  for (; deferred.room() === undefined && added < 10_000; added += 1)
    deferred.add(async () => {
      done += 1;
    });
  expect(added).toBeLessThan(1_000);
  let hasRoom = false;
  void deferred.room()?.then(() => {
    hasRoom = true;
  });
  await expect
    .poll(() => {
      commit();
      return hasRoom;
    })
    .toBe(true);
  expect(done).toBeGreaterThan(0);
  expect(added - done).toBeLessThan(added);
  const settled = deferred.settled();
  await expect
    .poll(() => {
      commit();
      return done;
    })
    .toBe(added);
  await settled;
});
