import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonSchemas } from './schemas.ts';

const folder = join(import.meta.dirname, '../../../../specs/schemas');

describe('the published schemas', () => {
  it.each(Object.entries(jsonSchemas))('%s is the same in the file and on the server', (name, schema) => {
    expect(JSON.parse(readFileSync(join(folder, `${name}.schema.json`), 'utf8'))).toEqual(schema);
  });
});
