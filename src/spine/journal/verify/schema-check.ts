import type { StepTexts } from '../../storage/migrate.ts';
import { readSchemaShapes } from '../../storage/schema/schema-shape.ts';
import type { DerivedCheck } from './derived-slot.ts';

/**
 * Tables, indexes and triggers, against those that the program's steps make. A trigger can drop what a statement writes, a
 * table without its keys can hold a row twice, and an index that lacks a row hides it from whoever asks by it: none of that
 * shows in any row. `unsound` is what the engine finds wrong in its file.
 */
export function schemaCheck(steps: readonly StepTexts[], unsound: Promise<readonly string[]>): DerivedCheck {
  return {
    tables: ['schema'],
    async run(reader, faults) {
      const { made, found } = await readSchemaShapes(reader, steps);
      const left = new Map(found.map((part) => [part.key, part]));
      for (const { key, table, words } of made) {
        const there = left.get(key);
        left.delete(key);
        if (there === undefined) faults.add({ ...MISSING, table, key });
        else if (there.words !== words || there.table !== table) faults.add({ ...CHANGED, table, key });
      }
      for (const { key, table } of left.values()) faults.add({ ...SURPLUS, table, key });
      for (const finding of await unsound) {
        faults.add({ ...UNSOUND, message: `${UNSOUND.message} ${finding}` });
      }
      return made.length;
    },
  };
}

const MISSING = {
  kind: 'schema_missing',
  message: 'A step of the schema made it, and it is not there.',
} as const;
const CHANGED = { kind: 'schema_changed', message: 'It is not as the steps of the schema make it.' } as const;
const SURPLUS = { kind: 'schema_surplus', message: 'No step of the schema made it.' } as const;
const UNSOUND = { kind: 'file_unsound', message: 'SQLite finds the file damaged:' } as const;
