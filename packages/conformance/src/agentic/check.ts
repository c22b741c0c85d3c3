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

export class Failure extends Error {
  override readonly name = 'Failure';
}

/** The check says nothing about this server, for a reason. */
export class Skip extends Error {
  override readonly name = 'Skip';
}

export function demand(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Failure(message);
}

export function demandEqual(seen: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(seen), JSON.stringify(expected)];
  demand(a === b, `${what}: expected ${clip(b)}, got ${clip(a)}`);
}

function clip(text: string | undefined): string {
  const shown = text ?? 'nothing';
  return shown.length > 300 ? `${shown.slice(0, 300)}…` : shown;
}
