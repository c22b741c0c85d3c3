import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long nobody asks before a server that drains takes it that all have gone elsewhere. */
const QUIET_MS = 250;
const LOOK_MS = 25;

/** The responses that are under way. */
export class OpenRequests {
  readonly #open = new Set<ServerResponse>();
  #draining = false;
  #lastAt = 0;

  add(response: ServerResponse): void {
    this.#open.add(response);
    this.#lastAt = performance.now();
    if (this.#draining) response.shouldKeepAlive = false;
    response.once('close', () => {
      this.#open.delete(response);
      this.#lastAt = performance.now();
    });
  }

  /** From now on each response says `connection: close`, those under way too. */
  async drain(mostMs: number): Promise<void> {
    this.#draining = true;
    for (const response of this.#open) response.shouldKeepAlive = false;
    const until = performance.now() + mostMs;
    while (performance.now() < until && !this.#isQuiet()) await sleep(LOOK_MS);
  }

  #isQuiet(): boolean {
    return this.#open.size === 0 && performance.now() - this.#lastAt > QUIET_MS;
  }
}
