import { describe, expect, it } from 'vitest';
import { readSqlText } from './sql-text.ts';

describe('a statement', () => {
  it('has its parameters numbered, except where a question mark is text', () => {
    const sql = readSqlText(`select ?, 'it''s ?', "odd ""name?""" -- ?\n, /* ? \n ? */ ? from t where a=?`);
    expect(sql.numbered).toBe(
      `select $1, 'it''s ?', "odd ""name?""" -- ?\n, /* ? \n ? */ $2 from t where a=$3`,
    );
    expect(sql.parameters).toBe(3);
  });

  it('is known by its first word, whatever stands before it', () => {
    expect(readSqlText('  -- note\n /* more */ INSERT into t values (?)')).toMatchObject({
      verb: 'insert',
      schema: false,
    });
    expect(readSqlText('(select 1)').verb).toBe('');
  });

  it('that changes the schema is left as it is', () => {
    const text = `create function f() returns int as $$ select 1 where 'a' like '?' or ? $$ language sql`;
    expect(readSqlText(text)).toMatchObject({ numbered: text, parameters: 0, schema: true });
  });
});
