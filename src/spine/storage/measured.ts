import { BatonError } from '../../kernel/error.ts';
import type { Database } from './database.ts';

/** What one unit or read took: until its work began, and altogether. */
export interface Measured {
  readonly kind: 'unit' | 'read';
  readonly waitSeconds: number;
  readonly seconds: number;
  /** `ok`, the code of what refused it, or `error`. */
  readonly outcome: string;
}

export interface StoreMeter {
  began(kind: Measured['kind']): void;
  ended(measured: Measured): void;
}

/** The same store, which tells what each unit and read took. */
export function measured(db: Database, meter: StoreMeter): Database {
  async function measure<A, T>(
    kind: Measured['kind'],
    work: (argument: A) => Promise<T>,
    run: (work: (argument: A) => Promise<T>) => Promise<T>,
  ): Promise<T> {
    const start = performance.now();
    let begun: number | undefined;
    let outcome = 'ok';
    meter.began(kind);
    try {
      return await run((argument) => {
        begun ??= performance.now();
        return work(argument);
      });
    } catch (error) {
      outcome = error instanceof BatonError && error.status >= 500 ? error.code : 'error';
      throw error;
    } finally {
      const end = performance.now();
      meter.ended({
        kind,
        waitSeconds: ((begun ?? end) - start) / 1000,
        seconds: (end - start) / 1000,
        outcome,
      });
    }
  }
  return {
    engine: db.engine,
    write: (unit, options) => measure('unit', unit, (work) => db.write(work, options)),
    read: (reading) => measure('read', reading, (work) => db.read(work)),
    exclusively: (unit) => db.exclusively(unit),
    migrate: (migrations) => db.migrate(migrations),
    watch: (watch) => db.watch(watch),
    onCommit: (listener) => db.onCommit(listener),
    health: () => db.health(),
    backup: (path, progress) => db.backup(path, progress),
    compact: () => db.compact(),
    close: () => db.close(),
  };
}
