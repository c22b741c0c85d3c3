import type { Bench } from './bench.ts';

/** Section 7.1, without the two that are made of others. */
export type Area = 'CARP-Core' | 'TRACE-Core' | 'Atlas-Core' | 'HTTP';

export interface ConformanceCase {
  readonly id: string;
  /** Numbers of the requirements that it bears on. */
  readonly covers: readonly string[];
  readonly area: Area;
  /** Throws `CaseFailure` where the server is wrong, `CaseSkipped` where it cannot be asked. */
  run(bench: Bench): Promise<void>;
}

export class CaseFailure extends Error {
  readonly details: unknown;

  constructor(message: string, details?: unknown) {
    super(message);
    this.name = 'CaseFailure';
    this.details = details;
  }
}

export class CaseSkipped extends Error {}

export function expectThat(holds: boolean, message: string, details?: unknown): asserts holds {
  if (!holds) throw new CaseFailure(message, details);
}

export function expectSame(found: unknown, wanted: unknown, what: string): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  expectThat(a === b, `${what}: expected ${b}, found ${a}`, { expected: wanted, found });
}
