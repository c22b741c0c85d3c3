import { setTimeout as pause } from 'node:timers/promises';

/** How long an outcome waits for another commit that it can share. */
const SOON_MS = 20;
const TRIES = 5;

/**
 * Records outcomes after their answers have gone out. They join the commit of the next call, or have one of their own a
 * moment later. If the process ends before, the call reads as begun, and its outcome as unknown.
 */
export class Outcomes {
  readonly #failed: (error: unknown) => void;
  #left: (() => Promise<unknown>)[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #writing = new Set<Promise<void>>();

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  add(record: () => Promise<unknown>): void {
    this.#left.push(record);
    this.#timer ??= setTimeout(() => this.write(), SOON_MS);
  }

  /** Called right before another unit is handed in, so that both are in one commit. */
  write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const record of this.#left.splice(0)) {
      const writing = this.#record(record).finally(() => this.#writing.delete(writing));
      this.#writing.add(writing);
    }
  }

  async drain(): Promise<void> {
    this.write();
    await Promise.all(this.#writing);
  }

  async #record(record: () => Promise<unknown>): Promise<void> {
    for (let left = TRIES; ; left -= 1) {
      try {
        await record();
        return;
      } catch (error) {
        if (left === 1) return this.#failed(error);
        await pause(100 * (TRIES - left + 1));
      }
    }
  }
}
