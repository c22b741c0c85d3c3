// For speed: while 16 writers commit, other work takes 49 times as long when SQLite flushes; a commit alone is 1.8 times slower.
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const flush = promisify(fdatasync);

/** How long a commit that nobody waits for may stay unflushed. */
const SOON_MS = 10;

/**
 * Makes the commits in the WAL durable. SQLite would do it inside the commit and hold up the whole process for as long
 * as the disk takes; here a thread of the pool waits instead. The WAL is one file as long as a connection is open, and
 * closing a second handle of it drops no lock of SQLite's: those are on the other files.
 */
export class WalFlush {
  readonly #path: string;
  #file: number | undefined;
  #running: Promise<void> | undefined;
  #soon: NodeJS.Timeout | undefined;
  /** Of a flush that nobody waited for: the next one that somebody waits for fails with it. */
  #failure: { readonly cause: unknown } | undefined;

  constructor(path: string) {
    this.#path = `${path}-wal`;
  }

  /** Undefined while everything that others can see is durable; begins what was left for later. */
  get running(): Promise<void> | undefined {
    if (this.#soon !== undefined) this.#begin();
    return this.#running;
  }

  async run(): Promise<void> {
    const earlier = this.#failure;
    try {
      await this.#begin();
    } finally {
      this.#failure = undefined;
    }
    if (earlier) throw earlier.cause;
  }

  /** Within milliseconds, or with the next commit that somebody waits for. */
  soon(): void {
    this.#file ??= openSync(this.#path, 'r+');
    this.#soon ??= setTimeout(() => this.#begin(), SOON_MS);
  }

  /** Before its connection is closed, because the last one to close removes the file. */
  close(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #begin(): Promise<void> {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    this.#file ??= openSync(this.#path, 'r+');
    const before = this.#running;
    const flushed = flush(this.#file);
    const all = before ? Promise.all([before, flushed]).then(() => undefined) : flushed;
    this.#running = all;
    const over = () => {
      if (this.#running === all) this.#running = undefined;
    };
    all.then(over, (cause: unknown) => {
      this.#failure = { cause };
      over();
    });
    return all;
  }
}
