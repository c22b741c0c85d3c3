import { createHash } from 'node:crypto';

/** Advisory locks are shared by the whole database, so the schema is part of the key. Sorted as they are taken. */
export function lockKeys(schema: string | undefined, keys: readonly string[]): string[] {
  const numbers = new Set(keys.map((key) => lockNumber(`${schema ?? ''}\u0000${key}`)));
  return [...numbers].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(String);
}

function lockNumber(key: string): bigint {
  return createHash('sha256').update(key).digest().readBigInt64BE(0);
}
