import { type Stats, statSync } from 'node:fs';

/** One file in one place: a file that was deleted and made again has another number. */
type Identity = Pick<Stats, 'dev' | 'ino'>;

/**
 * Whether the data file and its WAL are still those that the connection has open. SQLite writes on into a file that was
 * deleted or replaced, and what it commits there is gone with the process.
 */
export class SameFiles {
  readonly #path: string;
  readonly #data: Identity | undefined;
  #wal: Identity | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#data = identityOf(path);
  }

  /** The first commit makes the WAL, so it is known from the first look on. */
  whatIsWrong(): FileFault | undefined {
    if (process.platform === 'win32') return undefined;
    const data = identityOf(this.#path);
    if (!isSame(this.#data, data)) return data === undefined ? 'data_deleted' : 'data_replaced';
    const wal = identityOf(`${this.#path}-wal`);
    this.#wal ??= wal;
    if (!isSame(this.#wal, wal)) return wal === undefined ? 'wal_deleted' : 'wal_replaced';
    return undefined;
  }
}

export type FileFault = 'data_deleted' | 'data_replaced' | 'wal_deleted' | 'wal_replaced';

const WORDS: Readonly<Record<FileFault, string>> = {
  data_deleted: 'The data file was deleted while it was in use',
  data_replaced: 'The data file was replaced while it was in use',
  wal_deleted: 'The write-ahead log of the data file was deleted while it was in use',
  wal_replaced: 'The write-ahead log of the data file was replaced while it was in use',
};

export const faultWords = (fault: FileFault): string => WORDS[fault];

function identityOf(path: string): Identity | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && { dev: found.dev, ino: found.ino };
}

function isSame(one: Identity | undefined, other: Identity | undefined): boolean {
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}
