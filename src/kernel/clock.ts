/** Whole microseconds since 1970-01-01T00:00:00Z: exact in a double until the year 2255. */
export type Micros = number;

/** Rules take `now` as a value; code that must read the time is given a clock. */
export interface Clock {
  now(): Micros;
}

export interface Random {
  bytes(count: number): Uint8Array;
}
