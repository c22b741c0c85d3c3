// For speed: 16 writers have 1.1 times as many units a second (median of five pairs, 0.9 to 1.4, on a machine with much else to do).
import type { DatabaseOptions } from '../options.ts';
import type { FileFault, SameFiles } from './same-files.ts';
import type { WalFlush } from './wal-flush.ts';

/** A commit that others can see but that is perhaps not on the disk yet. */
export interface PendingCommit {
  readonly units: number;
  /** Undefined if it changed nothing; it then waits only because it may have seen what is not on the disk yet. */
  readonly flush: 'now' | 'soon' | undefined;
  /** Tells its callers. */
  settle(): Promise<void>;
  fail(loss: Error): void;
}

/** Why what was committed is not acknowledged: an error of the disk, or files that are no longer those that were opened. */
export type CommitFailure =
  | { readonly cause: unknown; readonly doubtful: boolean }
  | { readonly fault: FileFault };

interface Pending extends PendingCommit {
  readonly over: () => void;
}

/**
 * Commits on their way to the disk, in order. While one is being flushed the next batch works and commits; it is flushed
 * afterwards, with all that were committed meanwhile. A commit rests on those before it, so where one fails, all after it do.
 */
export class PendingCommits {
  readonly #flush: WalFlush;
  readonly #options: DatabaseOptions;
  readonly #files: () => SameFiles;
  readonly #onFailure: (failure: CommitFailure) => void;
  readonly #commits: Pending[] = [];
  #units = 0;
  #last: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  #look: (() => void) | undefined;

  constructor(
    flush: WalFlush,
    options: DatabaseOptions,
    files: () => SameFiles,
    onFailure: (failure: CommitFailure) => void,
  ) {
    this.#flush = flush;
    this.#options = options;
    this.#files = files;
    this.#onFailure = onFailure;
  }

  /** Until all that has been committed by now is on the disk, or known not to be; undefined if it is. */
  get durable(): Promise<void> | undefined {
    const flushing = this.#flush.running;
    if (flushing === undefined || this.#last === undefined) return flushing ?? this.#last;
    return Promise.all([flushing, this.#last]).then(() => undefined);
  }

  /** Until nothing is being flushed, whether that succeeds or not. */
  get idle(): Promise<void> | undefined {
    return this.#running;
  }

  add(commit: PendingCommit): void {
    if (commit.flush === 'soon') this.#flush.soon();
    this.#units += commit.units;
    this.#last = new Promise((resolve) => {
      this.#commits.push({ ...commit, over: resolve });
    });
    this.#running ??= this.#run();
  }

  /**
   * Until it is worth while to begin the next batch: at once if nothing is being flushed, else when as many units wait as are in
   * the commits before it. Every batch writes some pages anew, so that many small ones would cost more than the wait.
   */
  async worthBeginning(waiting: () => number): Promise<void> {
    while (waiting() < this.#units) {
      await new Promise<void>((resolve) => {
        this.#look = resolve;
      });
    }
  }

  /** Another unit waits. */
  noticeUnit(): void {
    this.#look?.();
    this.#look = undefined;
  }

  /** Of all that are not settled yet. */
  fail(loss: Error): void {
    for (const commit of this.#commits.splice(0)) {
      commit.fail(loss);
      this.#end(commit);
    }
    this.#last = undefined;
  }

  async #run(): Promise<void> {
    while (this.#commits.length > 0) {
      const group = [...this.#commits];
      const failure = await this.#save(group);
      if (failure !== undefined) {
        this.#running = undefined;
        this.#onFailure(failure);
        return;
      }
      for (const commit of group) {
        this.#commits.shift();
        await commit.settle();
        this.#end(commit);
      }
    }
    this.#running = undefined;
    this.#last = undefined;
  }

  async #save(group: readonly PendingCommit[]): Promise<CommitFailure | undefined> {
    let doubtful = false;
    try {
      if (group.some(({ flush }) => flush === 'now')) {
        doubtful = true;
        this.#options.faults?.('flush');
        await this.#flush.run();
        doubtful = false;
        this.#options.faults?.('after.flush');
      }
    } catch (cause) {
      return { cause, doubtful };
    }
    // Last of all: what was committed into a file that nobody can find again is not acknowledged.
    const wrote = group.some(({ flush }) => flush !== undefined);
    const fault = wrote ? this.#files().whatIsWrong() : undefined;
    return fault && { fault };
  }

  #end(commit: Pending): void {
    this.#units -= commit.units;
    commit.over();
    this.noticeUnit();
  }
}
