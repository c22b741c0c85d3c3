import { type BrokenConstraint, ConstraintError } from '../constraint-error.ts';
import { storageErrors } from '../errors.ts';
import { unsafeInteger } from '../sql-values.ts';

/** The primary result codes we act on; an extended code carries one of them in its low byte. */
const CODES: Readonly<Record<number, FaultKind>> = {
  5: 'busy',
  6: 'busy',
  7: 'lost',
  8: 'readonly',
  10: 'lost',
  11: 'lost',
  13: 'full',
  14: 'lost',
  15: 'busy',
  26: 'alien',
};

/** The same by text: the library leaves the code out of errors that `all` throws. */
const TEXTS: readonly (readonly [RegExp, FaultKind])[] = [
  [/^database (table )?is locked|^locking protocol/, 'busy'],
  [/^out of memory/, 'lost'],
  [/^attempt to write a readonly database/, 'readonly'],
  [/^disk I\/O error/, 'lost'],
  [/^database disk image is malformed/, 'lost'],
  [/^database or disk is full/, 'full'],
  [/^unable to open database file/, 'lost'],
  [/^file is not a database/, 'alien'],
];

type FaultKind = 'busy' | 'readonly' | 'full' | 'lost' | 'alien';

function faultOf(error: unknown): FaultKind | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined;
  if ('errcode' in error && typeof error.errcode === 'number') return CODES[error.errcode & 0xff];
  return TEXTS.find(([text]) => text.test(error.message))?.[1];
}

export function isBusy(error: unknown): boolean {
  return faultOf(error) === 'busy';
}

/** The file holds something else than SQLite's pages. */
export function isAlien(error: unknown): boolean {
  return faultOf(error) === 'alien';
}

/** Whether the connection or its transaction is unusable after this error. */
export function isLoss(error: unknown): boolean {
  return faultOf(error) !== undefined;
}

export function unavailable(cause: unknown, details?: Readonly<Record<string, unknown>>): Error {
  const full = faultOf(cause) === 'full';
  return storageErrors.storage_unavailable({
    message: full ? 'The disk is full.' : `The data file failed: ${messageOf(cause)}.`,
    ...(full ? { next: 'Free some disk space, then try again.' } : {}),
    details: { reason: full ? 'disk_full' : 'io_error', ...details },
    cause,
  });
}

/** What a statement's error means to a caller: a broken constraint, an inexact number, or the error itself. */
export function translate(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const broken = readConstraint(error.message);
  if (broken !== undefined) return new ConstraintError(broken, error);
  const unsafe = TOO_LARGE.exec(error.message);
  return unsafe?.[1] === undefined ? error : unsafeInteger(unsafe[1], error);
}

const TOO_LARGE = /too large to be represented as a JavaScript number: (-?\d+)/;

/** An integer that JavaScript cannot hold was to be read. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Error && TOO_LARGE.test(error.message);
}

function readConstraint(message: string): BrokenConstraint | undefined {
  const match = /^(UNIQUE|NOT NULL|CHECK|FOREIGN KEY) constraint failed(?:: (.*))?$/s.exec(message);
  if (match === null) return undefined;
  const subject = match[2] ?? '';
  switch (match[1]) {
    case 'FOREIGN KEY':
      return { kind: 'foreign' };
    case 'CHECK':
      return { kind: 'check', constraint: subject };
    case 'NOT NULL':
      return { kind: 'notnull', ...readColumns(subject) };
    default: {
      const index = /^index '(.*)'$/.exec(subject)?.[1];
      return { kind: 'unique', ...(index === undefined ? readColumns(subject) : { constraint: index }) };
    }
  }
}

function readColumns(subject: string): { table: string; columns: string[] } {
  const names = subject.split(', ').map((name) => name.split('.'));
  return { table: names[0]?.[0] ?? '', columns: names.map((name) => name[1] ?? '') };
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
