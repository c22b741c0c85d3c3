import { isWellFormed } from '../../kernel/json/utf8.ts';
import type { SqlValue } from './database.ts';
import { storageErrors } from './errors.ts';
import type { SqlText } from './sql-text.ts';

export const NO_VALUES: readonly SqlValue[] = [];

/** Refuses what one of the engines would change or drop in silence, so that both keep exactly what they are given. */
export function checkValues(sql: SqlText, values: readonly SqlValue[]): void {
  if (values.length !== sql.parameters) {
    throw new Error(`${values.length} values for ${sql.parameters} parameters in: ${sql.text}`);
  }
  for (const value of values) {
    if (typeof value === 'string') checkText(value);
    else if (typeof value === 'number') checkNumber(value);
    else if (value !== null && !(value instanceof Uint8Array)) {
      throw new TypeError(`A ${typeof value} is no SQL value in: ${sql.text}`);
    }
  }
}

function checkText(value: string): void {
  if (value.includes('\u0000')) {
    throw storageErrors.value_not_storable({
      message: 'Text with the character U+0000 cannot be stored.',
      next: 'Remove the NUL characters from the text.',
    });
  }
  if (!isWellFormed(value)) {
    throw storageErrors.value_not_storable({
      message: 'Text with a lone surrogate cannot be stored.',
      next: 'Send well-formed Unicode; text that is cut must be cut between characters.',
    });
  }
}

function checkNumber(value: number): void {
  if (Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))) return;
  throw storageErrors.value_not_storable({
    message: `The number ${value} cannot be stored exactly.`,
    next: 'Send an integer between -(2^53 - 1) and 2^53 - 1, or a fraction.',
  });
}

export function unsafeInteger(written: string, cause?: unknown): Error {
  return new RangeError(`The stored integer ${written} is too large to be exact in JavaScript.`, { cause });
}
