import type { Engine } from './database.ts';

/** What the drivers need to know of a statement, read once per text. */
export interface SqlText {
  readonly text: string;
  /** The same statement with `$1`, `$2`, … for its `?`. */
  readonly numbered: string;
  readonly parameters: number;
  /** `select`, `insert`, `create`, …: the first word, in lower case. */
  readonly verb: string;
  readonly schema: boolean;
}

const SCHEMA_VERBS = new Set([
  'create',
  'alter',
  'drop',
  'reindex',
  'analyze',
  'vacuum',
  'pragma',
  'comment',
]);

/** Literals, quoted names and comments first, so that a `?` inside one is never a parameter. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;
const LEADING = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*([a-z]+)/i;

export function readSqlText(text: string): SqlText {
  const verb = LEADING.exec(text)?.[1]?.toLowerCase() ?? '';
  // DDL takes no parameters and may hold bodies in quotes that only its engine can read.
  if (SCHEMA_VERBS.has(verb)) return { text, numbered: text, parameters: 0, verb, schema: true };
  let parameters = 0;
  const numbered = text.replace(TOKENS, (token) => (token === '?' ? `$${++parameters}` : token));
  return { text, numbered, parameters, verb, schema: false };
}

const remembered = new Map<string, SqlText>();
const REMEMBERED_LIMIT = 2_000;

export function sqlText(text: string): SqlText {
  let known = remembered.get(text);
  if (known === undefined) {
    if (remembered.size >= REMEMBERED_LIMIT) remembered.clear();
    known = readSqlText(text);
    remembered.set(text, known);
  }
  return known;
}

/**
 * Ends a `select` so that the row stays ours until the unit ends. SQLite needs nothing: its units never overlap.
 *
 * Chosen over optimistic retries on `unique (chain_id, sequence)`: writers of a busy chain queue up and each
 * succeeds at its first attempt, and an event's time is read while the chain stands still.
 */
export function rowLock(engine: Engine): string {
  return engine === 'postgres' ? ' for update' : '';
}
