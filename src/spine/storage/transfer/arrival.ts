import { randomUUID } from 'node:crypto';
import type { Database } from '../database.ts';
import { storageErrors } from '../errors.ts';
import { migrateIn, selectAppliedSteps, stepNames } from '../migrate.ts';
import type { Migration } from '../migration.ts';
import { selectTableNames } from './catalogue.ts';
import { deleteMark, insertMark, selectMark } from './marks.ts';
import { createProgress, dropProgress } from './progress-store.ts';

/** PostgreSQL's lock rows are there as soon as it is opened. */
const ALWAYS_THERE = 'storage_locks';

/**
 * Makes the schema in an empty database, marked so that nobody opens it before all is there. Returns the name of the
 * transfer, which is the one that was begun if there is one.
 */
export async function arriveIn(target: Database, migrations: readonly Migration[]): Promise<string> {
  const names = await target.read(selectTableNames);
  const there = names.filter((name) => name !== ALWAYS_THERE);
  if (there.length > 0) return resume(target, there, migrations);
  const transfer = randomUUID();
  await target.write(async (uow) => {
    await migrateIn(uow, migrations);
    await insertMark(uow, 'arriving', transfer);
    await createProgress(uow);
  });
  return transfer;
}

async function resume(
  target: Database,
  there: readonly string[],
  migrations: readonly Migration[],
): Promise<string> {
  const transfer = there.includes('schema_migrations')
    ? await target.read((reader) => selectMark(reader, 'arriving'))
    : undefined;
  if (transfer === undefined) {
    throw storageErrors.migration_refused({
      message: `The target is not empty: it has ${there.length} tables, ${there.toSorted()[0]} among them.`,
    });
  }
  const applied = await target.read(selectAppliedSteps);
  const known = stepNames(migrations, target.engine);
  if (applied.length !== known.length || applied.some(({ name }, at) => name !== known[at]?.name)) {
    throw storageErrors.migration_refused({
      message: 'The migration into this database was begun by another version of Baton.',
      next: 'Empty the target and run the migration again.',
    });
  }
  return transfer;
}

/** From now on the target can be opened. */
export async function completeArrival(target: Database): Promise<void> {
  await target.write(async (uow) => {
    await deleteMark(uow, 'arriving');
    await dropProgress(uow);
  });
}
