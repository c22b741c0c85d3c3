import { assert, assertEqual } from '../assertions.ts';
import type { Reply } from '../target.ts';
import type { Bench } from './bench.ts';

/** The levels of section 7.1, without the two that are made of others. */
export type Area = 'CARP-Core' | 'TRACE-Core' | 'Atlas-Core' | 'HTTP';

export interface ConformanceCase {
  readonly id: string;
  /** The requirements it tests. */
  readonly covers: readonly string[];
  readonly area: Area;
  /** Throws a `Failure` if the server is wrong, a `Skip` if the case does not apply to it. */
  run(bench: Bench): Promise<void>;
}

const define =
  (area: Area) =>
  (id: string, covers: readonly string[], run: ConformanceCase['run']): ConformanceCase => ({
    id,
    covers,
    area,
    run,
  });

export const carp = define('CARP-Core');
export const trace = define('TRACE-Core');
export const atlas = define('Atlas-Core');
export const http = define('HTTP');

export function assertStatus(reply: Reply, status: number, what = 'the request'): void {
  assert(reply.status === status, `${what}: expected ${status}, got ${reply.status}`, reply.json);
}

export function assertRefused(reply: Reply, status: number, code: string): void {
  assertEqual([reply.status, reply.json?.error?.code], [status, code], 'status and code');
}
