import type { Writer } from './writer.ts';

const INTERVAL_MS = 30;

/** Notices commits of other processes, by asking SQLite for the file's version while someone listens. */
export class ForeignCommits {
  readonly #writer: Writer;
  readonly #notify: () => void;
  #timer: NodeJS.Timeout | undefined;
  #seen: string | undefined;

  constructor(writer: Writer, notify: () => void) {
    this.#writer = writer;
    this.#notify = notify;
  }

  start(): void {
    if (this.#timer !== undefined) return;
    this.#seen = this.#look();
    this.#timer = setInterval(() => this.#poll(), INTERVAL_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #poll(): void {
    const version = this.#look();
    if (version === undefined || version === this.#seen) return;
    this.#seen = version;
    this.#notify();
  }

  #look(): string | undefined {
    try {
      return this.#writer.foreignVersion();
    } catch {
      return undefined;
    }
  }
}
