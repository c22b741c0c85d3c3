import { BatonError } from '../../../kernel/error.ts';
import { storageErrors } from '../errors.ts';
import type { DatabaseOptions } from '../options.ts';

/**
 * Resolves with the work's outcome, or with a stall if the work waits for anything but microtasks while it holds the
 * write lock. A tick queued from a microtask runs only when the microtask queue is empty: work that is still open
 * then is waiting for a timer, for I/O or for another unit, which would wait for this one; or it gave others a turn, as
 * `pause` tells.
 */
export function unlessStalled<T>(
  work: Promise<T>,
  options: DatabaseOptions,
  pause: () => Promise<void> | undefined,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let open = true;
    let timer: NodeJS.Timeout | undefined;
    const settle = (outcome: () => void) => {
      if (!open) return;
      open = false;
      clearTimeout(timer);
      outcome();
    };
    work.then(
      (result) => settle(() => resolve(result)),
      (error: unknown) => settle(() => reject(error)),
    );
    const stalled = () => settle(() => reject(storageErrors.unit_stalled()));
    const look = () => {
      if (!open) return;
      const pausing = pause();
      if (pausing) void pausing.then(() => process.nextTick(look));
      else if (options.strictUnits) stalled();
      else timer = setTimeout(stalled, options.stallMs ?? 5_000);
    };
    process.nextTick(look);
  });
}

export function isStall(thrown: unknown): boolean {
  return thrown instanceof BatonError && thrown.code === 'unit_stalled';
}
