import type { Micros } from '../../../kernel/clock.ts';

/** What tells which documents were said in one go. */
export interface Placed {
  readonly doc: number;
  readonly space: number;
  readonly time: Micros | null;
  /** How many passages it has. */
  readonly passages: number;
}

/** Turns of a conversation follow each other within minutes. */
const PAUSE: Micros = 10 * 60_000_000;
/** A document of more passages is no turn of a conversation, but one of its own. */
const SHORT = 4;
/** What is longer was written in one go, as by an import, but not said in one. */
const MOST_TURNS = 100;
/** So many documents to an instant, and instants are what their writer gave whole conversations. */
const TO_AN_INSTANT = 2;

/**
 * The candidates in units: a conversation, in the order it was written down, or a document that stands alone. Each
 * candidate, named by its index, is in one unit.
 */
export function unitsOf(candidates: readonly Placed[]): readonly (readonly number[])[] {
  const at = (index: number) => candidates[index] as Placed;
  const order = [...candidates.keys()].sort((a, b) => {
    const [left, right] = [at(a), at(b)];
    // Long ones come last, so that none stands between two turns.
    const long = Number(left.passages > SHORT) - Number(right.passages > SHORT);
    return long || left.space - right.space || (left.time ?? 0) - (right.time ?? 0) || left.doc - right.doc;
  });
  const pauses = pausesOf(candidates);
  const runs: number[][] = [];
  for (const index of order) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const pause = pauses.get(at(index).space) ?? 0;
    if (run !== undefined && last !== undefined && follows(at(last), at(index), pause)) run.push(index);
    else runs.push([index]);
  }
  return runs.flatMap((run) =>
    run.length > MOST_TURNS ? run.map((index) => [index]) : [run.sort((a, b) => at(a).doc - at(b).doc)],
  );
}

function follows(last: Placed, next: Placed, pause: Micros): boolean {
  if (last.time === null || next.time === null || last.space !== next.space) return false;
  if (last.passages > SHORT || next.passages > SHORT) return false;
  return next.time - last.time <= pause;
}

/**
 * By space, how long a conversation may pause. Where turns mostly share their instants, as those of imported sessions do,
 * another instant is another conversation, however near it is.
 */
function pausesOf(candidates: readonly Placed[]): ReadonlyMap<number, Micros> {
  const instants = new Map<number, { documents: number; readonly times: Set<Micros> }>();
  for (const { space, time, passages } of candidates) {
    if (time === null || passages > SHORT) continue;
    const seen = instants.get(space) ?? { documents: 0, times: new Set() };
    seen.documents += 1;
    instants.set(space, seen);
    seen.times.add(time);
  }
  return new Map(
    [...instants].map(([space, { documents, times }]) => [
      space,
      documents > TO_AN_INSTANT * times.size ? 0 : PAUSE,
    ]),
  );
}
