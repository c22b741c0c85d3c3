import { createHash } from 'node:crypto';
import type { Database, Engine, Reader, UnitOfWork } from './database.ts';
import { storageErrors } from './errors.ts';
import { type Ddl, ddlOf, type Migration } from './migration.ts';
import { isMark, refuseMarked } from './transfer/marks.ts';

/** A step as a store knows it. */
export interface StepName {
  readonly name: string;
  readonly checksum: string;
}

interface Step extends StepName {
  readonly statements: readonly string[];
}

/** On SQLite several units share a transaction: a rule that fails at its end would fail them all. */
const ENDS_THE_BATCH = /\bdeferrable\b|\braise\s*\(\s*rollback\b|\b(or|conflict)\s+rollback\b/i;
const NAME = /^[a-z][a-z0-9-]*\/\d{4}-[a-z0-9-]+$/;

/** One unit for all steps: two processes that start together wait for each other, and a failing step leaves nothing. */
export async function migrate(
  db: Pick<Database, 'engine' | 'write'>,
  migrations: readonly Migration[],
): Promise<void> {
  await db.write((uow) => migrateIn(uow, migrations));
}

/** The same in a unit that does more. */
export async function migrateIn(uow: UnitOfWork, migrations: readonly Migration[]): Promise<void> {
  const ddl = ddlOf(uow.engine);
  await uow.lock('storage/migrations');
  await uow.run(listOfSteps(ddl));
  await apply(uow, readSteps(migrations, ddl));
}

const listOfSteps = (ddl: Ddl) => `create table if not exists schema_migrations (
      name ${ddl.text} primary key, checksum ${ddl.text} not null, position ${ddl.int} not null unique
    ) ${ddl.end}`;

/** The steps that a store of this engine was made with. */
export function stepNames(migrations: readonly Migration[], engine: Engine): StepName[] {
  return readSteps(migrations, ddlOf(engine)).map(({ name, checksum }) => ({ name, checksum }));
}

/**
 * What makes an empty store what this one is: its steps in the order in which it says that they were applied, then those that
 * it does not list.
 */
export function statementsOf(
  steps: readonly StepTexts[],
  engine: Engine,
  applied: readonly AppliedStep[],
): string[] {
  const place = new Map(applied.map(({ name }, at) => [name, at]));
  const placeOf = ({ name }: StepTexts) => place.get(name) ?? applied.length;
  const inOrder = steps.toSorted((a, b) => placeOf(a) - placeOf(b));
  return [listOfSteps(ddlOf(engine)), ...inOrder.flatMap((step) => step[engine])];
}

/** A step with its statements for each engine: what can be sent to a thread. */
export interface StepTexts extends Readonly<Record<Engine, readonly string[]>> {
  readonly name: string;
}

export function stepTexts(migrations: readonly Migration[]): StepTexts[] {
  return migrations.map(({ name, statements }) => ({
    name,
    sqlite: statements(ddlOf('sqlite')),
    postgres: statements(ddlOf('postgres')),
  }));
}

export interface AppliedStep extends StepName {
  readonly position: number;
}

export async function selectAppliedSteps(reader: Reader): Promise<AppliedStep[]> {
  const rows = await reader.all<AppliedStep>(
    'select name, checksum, position from schema_migrations order by position, name',
  );
  return rows.filter(({ name }) => !isMark(name));
}

async function apply(uow: UnitOfWork, steps: readonly Step[]): Promise<void> {
  const rows = await uow.all<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  refuseStrangers(applied, steps);
  let position = applied.size;
  for (const step of steps) {
    if (applied.has(step.name)) continue;
    for (const statement of step.statements) await uow.run(statement);
    await uow.run('insert into schema_migrations (name, checksum, position) values (?, ?, ?)', [
      step.name,
      step.checksum,
      position++,
    ]);
  }
}

function refuseStrangers(applied: ReadonlyMap<string, string>, steps: readonly Step[]): void {
  refuseMarked(applied.keys());
  const known = new Map(steps.map((step) => [step.name, step.checksum]));
  const unknown = [...applied.keys()].filter((name) => !known.has(name)).sort();
  if (unknown.length > 0) {
    throw storageErrors.storage_newer({
      message: `The store was written by a newer version of Baton: this one does not know ${unknown.join(', ')}.`,
      details: { unknown },
    });
  }
  const edited = [...applied]
    .filter(([name, checksum]) => known.get(name) !== checksum)
    .map(([name]) => name);
  if (edited.length > 0) {
    throw storageErrors.storage_changed({
      message: `Steps of the schema differ from those this store was made with: ${edited.sort().join(', ')}.`,
      details: { edited },
    });
  }
}

function readSteps(migrations: readonly Migration[], ddl: Ddl): readonly Step[] {
  const names = new Set<string>();
  return migrations.map(({ name, statements, rewrites = [] }) => {
    if (!NAME.test(name)) throw new Error(`A migration is called "<room>/<4 digits>-<what>", not "${name}".`);
    if (names.has(name)) throw new Error(`Two migrations are called "${name}".`);
    names.add(name);
    const texts = statements(ddl);
    for (const text of texts) {
      if (ENDS_THE_BATCH.test(text)) {
        throw new Error(
          `The migration "${name}" declares a rule that is deferred or rolls back the transaction.`,
        );
      }
    }
    return {
      name,
      statements: texts,
      checksum: checksumOf([...texts, ...rewrites.map((table) => `rewrites ${table}`)]),
    };
  });
}

function checksumOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\u0000')).digest('hex');
}
