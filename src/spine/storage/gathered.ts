import type { Gathering, UnitOfWork } from './database.ts';
import type { UnitFrame } from './unit-frame.ts';

export type Gathered = ReadonlyMap<Gathering<unknown>, readonly unknown[]>;

/** Does what the units of a commit left to it, in the order in which each kind was first asked for. */
export async function applyGathered(
  uow: UnitOfWork & UnitFrame,
  ofUnits: readonly Gathered[],
): Promise<void> {
  uow.endGathering();
  for (const [gathering, items] of joined(ofUnits)) await gathering.apply(uow, items);
}

function joined(ofUnits: readonly Gathered[]): Gathered {
  const [only, ...others] = ofUnits;
  if (only !== undefined && others.length === 0) return only;
  const all = new Map<Gathering<unknown>, unknown[]>();
  for (const gathered of ofUnits) {
    for (const [gathering, items] of gathered) {
      const known = all.get(gathering);
      if (known === undefined) all.set(gathering, [...items]);
      else known.push(...items);
    }
  }
  return all;
}
