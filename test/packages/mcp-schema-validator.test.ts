import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { describe, expect, it } from 'vitest';
import { JsonSchemaValidator } from '../../scripts/lean/mcp-schema-validator.mjs';

const mail = { type: 'object', properties: { to: { type: 'string', format: 'email' } }, required: ['to'] };
const pair = { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], items: false };
const tuple = { type: 'array', items: [{ type: 'number' }, { type: 'string' }], additionalItems: false };
const recursive = {
  $defs: {
    tree: { type: 'object', properties: { next: { $ref: '#/$defs/tree' } }, additionalProperties: false },
  },
  $ref: '#/$defs/tree',
};
const dialects = {
  none: {},
  '2020-12': { $schema: 'https://json-schema.org/draft/2020-12/schema' },
  '2019-09': { $schema: 'https://json-schema.org/draft/2019-09/schema' },
  'draft-07': { $schema: 'http://json-schema.org/draft-07/schema#' },
  'draft-06': { $schema: 'http://json-schema.org/draft-06/schema' },
};
const values = [
  { to: 'ana@example.com' },
  { to: 'ana' },
  {},
  [1, 'a'],
  ['a', 1],
  [1, 'a', 2],
  { next: { next: {} } },
  { next: { other: 1 } },
  null,
  3,
];

describe('the schema validator of MCP in the bundle', () => {
  it.each(Object.entries(dialects))('judges as the one of the SDK does: %s', (_, dialect) => {
    for (const schema of [mail, pair, tuple, recursive, { $id: 'https://example.com/mail', ...mail }]) {
      const theirs = new AjvJsonSchemaValidator();
      const ours = new JsonSchemaValidator();
      for (let again = 0; again < 2; again += 1) {
        const judge = (validator: Pick<JsonSchemaValidator, 'getValidator'>) => {
          try {
            const check = validator.getValidator({ ...dialect, ...schema });
            return values.map((value) => check(value));
          } catch (error) {
            return (error as Error).message;
          }
        };
        expect(judge(ours)).toEqual(judge(theirs));
      }
    }
  });

  it('refuses a dialect that it does not know', () => {
    const schema = { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' };
    expect(() => new JsonSchemaValidator().getValidator(schema)).toThrow(/unsupported dialect/);
  });
});
