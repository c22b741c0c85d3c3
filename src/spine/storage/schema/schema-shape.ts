import type { Reader } from '../database.ts';
import { type StepTexts, selectAppliedSteps, statementsOf } from '../migrate.ts';
import { selectMark } from '../transfer/marks.ts';
import { PROGRESS_TABLE } from '../transfer/progress-store.ts';
import { postgresPartsMadeBy, selectPostgresParts } from './postgres-schema.ts';
import type { SchemaPart } from './schema-part.ts';
import { selectSqliteParts, sqlitePartsMadeBy } from './sqlite-schema.ts';

export interface SchemaShapes {
  readonly made: readonly SchemaPart[];
  readonly found: readonly SchemaPart[];
}

/** What the program's steps make of an empty store, and what this one is made of. */
export async function readSchemaShapes(reader: Reader, steps: readonly StepTexts[]): Promise<SchemaShapes> {
  const applied = await selectAppliedSteps(reader);
  const sqlite = statementsOf(steps, 'sqlite', applied);
  if (reader.engine === 'sqlite') {
    const found = await selectSqliteParts(reader);
    return { made: sqlitePartsMadeBy(sqlite), found: await withoutTransfer(reader, found) };
  }
  const made = postgresPartsMadeBy(sqlite, statementsOf(steps, 'postgres', applied));
  const found = await selectPostgresParts(reader, made);
  return { made, found: await withoutTransfer(reader, found) };
}

/** A store that moves has more for a while; by its mark no program goes on with it. */
async function withoutTransfer(reader: Reader, found: readonly SchemaPart[]): Promise<SchemaPart[]> {
  const moved = (await selectMark(reader, 'moved')) !== undefined;
  const arriving = (await selectMark(reader, 'arriving')) !== undefined;
  return found.filter(
    ({ key, table }) =>
      !(moved && key === 'trigger storage_moved') && !(arriving && table === PROGRESS_TABLE),
  );
}
