import type { Trial } from './trial.ts';

export const levels = ['L0', 'L1', 'L2', 'L3'] as const;
export type Level = (typeof levels)[number];

/** MUST decides about a level, SHOULD warns, MAY is checked where it is offered; EXT goes beyond the protocol. */
export type Weight = 'MUST' | 'SHOULD' | 'MAY' | 'EXT';

export interface Check {
  /** The row of the requirement table: `A41`, or `X7` for an extension. */
  readonly id: string;
  readonly level: Level;
  readonly weight: Weight;
  readonly section: string;
  readonly title: string;
  /** Throws a `Failure` that says what was expected and seen, or a `Skip`. */
  run(trial: Trial): Promise<void>;
}

const define =
  (level: Level, weight: Weight) =>
  (id: string, section: string, title: string, run: Check['run']): Check => ({
    id,
    level,
    weight,
    section,
    title,
    run,
  });

const at = (level: Level) => ({
  must: define(level, 'MUST'),
  should: define(level, 'SHOULD'),
  may: define(level, 'MAY'),
});

export const [L0, L1, L2, L3] = [at('L0'), at('L1'), at('L2'), at('L3')] as const;
export const extension = (id: string, title: string, run: Check['run']): Check =>
  define('L3', 'EXT')(id, 'ext', title, run);
