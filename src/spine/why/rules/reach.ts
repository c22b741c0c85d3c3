import type { Effect, Thing } from '../../journal/provenance.ts';

export interface Reached extends Thing {
  /** How many steps it is away; 1 is what relied on the subject itself. */
  readonly distance: number;
  /** What it relied on, by which it was reached first. */
  readonly from: Thing;
  readonly as: string;
}

export interface Reach {
  /** The nearest first. The subject is not among them. */
  readonly things: readonly Reached[];
  /** False where it ended at a limit. */
  readonly complete: boolean;
}

export interface ReachLimits {
  readonly depth: number;
  readonly things: number;
  /** How many are looked up together. */
  readonly batch: number;
}

export function thingKey({ kind, id }: Thing): string {
  return JSON.stringify([kind, id]);
}

/**
 * From a thing forwards to everything that relied on it, the nearest first. Each thing is reached once, by its shortest way,
 * so that a cycle ends where it began.
 */
export async function reachFrom(
  root: Thing,
  effectsOf: (things: readonly Thing[]) => Promise<readonly Effect[]>,
  limits: ReachLimits,
): Promise<Reach> {
  const seen = new Set([thingKey(root)]);
  const things: Reached[] = [];
  let level: readonly Thing[] = [root];
  for (let distance = 1; level.length > 0; distance += 1) {
    const next: Thing[] = [];
    for (let at = 0; at < level.length; at += limits.batch) {
      for (const { of: from, to, as } of await effectsOf(level.slice(at, at + limits.batch))) {
        const key = thingKey(to);
        if (seen.has(key)) continue;
        if (distance > limits.depth || things.length >= limits.things) return { things, complete: false };
        seen.add(key);
        next.push(to);
        things.push({ ...to, distance, from, as });
      }
    }
    level = next;
  }
  return { things, complete: true };
}
