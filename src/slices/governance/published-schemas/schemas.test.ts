import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { authoringSchema } from '../atlases/authoring-schema.ts';
import { publishedSchemas } from './schemas.ts';

const folder = join(import.meta.dirname, '../../../../specs/schemas');

describe('the published schemas', () => {
  it.each(Object.entries({ ...publishedSchemas(), 'atlas-authoring': authoringSchema() }))(
    '%s is the same in the file and on the server',
    (name, schema) => {
      const path = join(folder, `${name}.schema.json`);
      if (process.env.BATON_WRITE_SPECS) writeFileSync(path, `${JSON.stringify(schema, null, 2)}\n`);
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(schema);
    },
  );
});
