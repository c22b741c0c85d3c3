import pg from 'pg';
import { unsafeInteger } from '../sql-values.ts';

const INT8 = 20;
const NUMERIC = 1700;
const BOOL = 16;
const BYTEA = 17;

type Parser = (text: string) => unknown;

/** Values as SQLite gives them: exact numbers (a sum of integers is `numeric` here), 0 and 1, plain bytes. */
const PARSERS = new Map<number, Parser>([
  [INT8, exactInteger],
  [NUMERIC, (text) => (/^-?\d+$/.test(text) ? exactInteger(text) : Number(text))],
  [BOOL, (text) => (text === 't' ? 1 : 0)],
  [BYTEA, (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))],
]);

function exactInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw unsafeInteger(text);
  return value;
}

export const ourTypes: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format: 'text' | 'binary') =>
    PARSERS.get(id) ?? pg.types.getTypeParser(id, format as 'text')) as typeof pg.types.getTypeParser,
};
