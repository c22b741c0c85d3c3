import type { Clock, Micros } from '../kernel/clock.ts';

/** How far the monotonic clock may drift from wall time (laptop sleep, a corrected clock) before it is anchored again. */
const TOLERANCE: Micros = 50_000;

/** Microseconds of `monotonic`, anchored to `wall` milliseconds, never backwards: a wall clock set back makes it wait. */
export function anchoredClock(wallMillis: () => number, monotonicMillis: () => number): Clock {
  let anchorWall = wallMillis() * 1000;
  let anchorTick = monotonicMillis();
  let last = 0;
  return {
    now() {
      const wall = wallMillis() * 1000;
      const tick = monotonicMillis();
      let micros = anchorWall + Math.floor((tick - anchorTick) * 1000);
      if (Math.abs(micros - wall) > TOLERANCE) {
        anchorWall = wall;
        anchorTick = tick;
        micros = wall;
      }
      last = Math.max(last, micros);
      return last;
    },
  };
}

export const systemClock: Clock = anchoredClock(Date.now, () => performance.now());
