import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** So many at a time; the others wait their turn, first come, first served. */
export class Slots {
  readonly #queue: (() => void)[] = [];
  #free: number;
  readonly #all: number;
  #whenIdle: (() => void) | undefined;

  constructor(count: number) {
    this.#all = count;
    this.#free = count;
  }

  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      // The slot itself goes to who waits, so that no newcomer can take it first.
      if (next !== undefined) next();
      else this.#giveBack();
    }
  }

  /** Resolves once nobody holds a slot or waits for one. */
  async idle(): Promise<void> {
    if (this.#free === this.#all) return;
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
    });
  }

  #giveBack(): void {
    this.#free++;
    if (this.#free === this.#all) this.#whenIdle?.();
  }
}

/** Waits 1 to 5 ms, so that contenders do not meet again. */
export async function pauseBriefly(): Promise<void> {
  await sleep(randomInt(1, 6));
}
