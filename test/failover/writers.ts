import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../packages/client/src/client.ts';
import { BatonRequestError } from '../../packages/client/src/error.ts';
import { type Deed, type Deeds, mayBeSaidAgain, type SliceName } from '../crash/deeds.ts';

interface Waiting {
  readonly since: number;
  readonly heard: () => void;
}

/** Says each deed until it is acknowledged, as a client does that has an idempotency key. */
export class Writers {
  readonly acknowledged: Deed[] = [];
  /** What was answered instead, and how often. */
  readonly refusals = new Map<string, number>();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>[] = [];
  readonly #deeds: Deeds;
  #waiting: readonly Waiting[] = [];

  constructor(deeds: Deeds) {
    this.#deeds = deeds;
  }

  start(client: Client, slices: readonly SliceName[]): void {
    this.#running.push(...slices.map((slice) => this.#write(client, slice)));
  }

  /** Resolves once something is acknowledged that was asked for after this moment. */
  next(): Promise<void> {
    return new Promise((heard) => {
      this.#waiting = [...this.#waiting, { since: performance.now(), heard }];
    });
  }

  /** Resolves once all that was begun has been acknowledged. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  async #write(client: Client, slice: SliceName): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const deed = await this.#deeds.next(slice);
      while (!(await this.#say(client, deed))) await sleep(100);
    }
  }

  async #say(client: Client, deed: Deed): Promise<boolean> {
    const began = performance.now();
    try {
      await deed.do(client);
    } catch (error) {
      if (!mayBeSaidAgain(error)) throw error;
      const what = wordsOf(error);
      this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1);
      return false;
    }
    this.acknowledged.push(deed);
    for (const { since, heard } of this.#waiting) if (since <= began) heard();
    this.#waiting = this.#waiting.filter(({ since }) => since > began);
    return true;
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof BatonRequestError) return `${error.status} ${error.code}`;
  const { message, cause } = error as Error;
  return `${message} ${cause instanceof Error ? cause.message : ''}`.trim();
}
