import type { BoundedWork } from '../../platform/bounded-work/bounded-work.ts';
import { withWorkDone } from '../../platform/bounded-work/work-needed.ts';
import type { Database } from './database.ts';

/** The same store, whose units and reads may throw `WorkNeeded`: they run again when that work is done. */
export function withWorkOutside(db: Database, work: BoundedWork): Database {
  return {
    engine: db.engine,
    write: (unit, options) => withWorkDone(work, () => db.write(unit, options)),
    read: (reading) => withWorkDone(work, () => db.read(reading)),
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
