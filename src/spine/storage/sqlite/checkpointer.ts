// For speed: where others use the disk too, a checkpoint inside a commit held the process up for 20 to 100 ms, every few hundred units.
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Connection } from './connection.ts';

/** Pages of the WAL that are not in the data file yet. SQLite itself sees to it at four times as many (`connection.ts`). */
const MANY_PAGES = 4_000;

/** A passive one waits for nobody and holds nobody up: it moves what no reader still needs from the WAL. */
const SCRIPT = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require(workerData.library);
  const db = new DatabaseSync(workerData.path, { timeout: 0 });
  db.exec('pragma synchronous = normal; pragma fullfsync = on; pragma checkpoint_fullfsync = on');
  parentPort.on('message', (message) => {
    if (message === 'checkpoint') {
      db.exec('pragma wal_checkpoint(passive)');
      parentPort.postMessage('done');
      return;
    }
    db.close();
    parentPort.close();
  });
`;

/**
 * Moves what was committed from the WAL into the data file, in a thread of its own: SQLite would do it inside a commit, and
 * the process would stand still until the disk has taken both files. What is committed meanwhile is moved in a second round,
 * for which commits wait: the WAL can begin anew only once all of it has been moved.
 */
export class Checkpointer {
  readonly #path: string;
  #worker: Worker | undefined;
  #running: Promise<void> | undefined;
  #finishing: Promise<void> | undefined;
  /** More after one that moved little, because somebody reads or the disk fails. */
  #next = MANY_PAGES;

  constructor(path: string) {
    this.#path = path;
  }

  /** While no commit may be made. */
  get finishing(): Promise<void> | undefined {
    return this.#finishing;
  }

  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** After a commit: begins where there is much to move. */
  look(connection: Connection): void {
    if (this.#running !== undefined) return;
    const waiting = pagesIn(connection);
    if (waiting < this.#next) {
      if (waiting < MANY_PAGES) this.#next = MANY_PAGES;
      return;
    }
    this.#next = waiting + MANY_PAGES;
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.ref();
    await this.#running;
    this.#worker = undefined;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    await ended;
  }

  async #run(): Promise<void> {
    try {
      await this.#checkpoint();
      this.#finishing = this.#checkpoint();
      await this.#finishing;
    } catch {
      // What was not moved is still in the WAL. SQLite meets the same fault in a commit, whose callers are told.
    } finally {
      this.#running = undefined;
      this.#finishing = undefined;
    }
  }

  #checkpoint(): Promise<void> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise<void>((resolve, reject) => {
      const failed = () => over(() => reject(new Error('the checkpoint failed')));
      const done = () => over(resolve);
      const over = (settle: () => void) => {
        worker.off('message', done).off('error', failed).off('exit', failed);
        settle();
      };
      worker.on('message', done).on('error', failed).on('exit', failed);
      worker.postMessage('checkpoint');
    });
  }

  #start(): Worker {
    const library = createRequire(import.meta.url).resolve('@photostructure/sqlite');
    const worker = new Worker(SCRIPT, { eval: true, workerData: { library, path: this.#path } });
    // A command that has nothing else to do ends.
    worker.unref();
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }
}

function pagesIn(connection: Connection): number {
  const wal = connection.get<{ log: number; checkpointed: number }>('pragma wal_checkpoint(noop)');
  return wal === undefined ? 0 : wal.log - wal.checkpointed;
}
