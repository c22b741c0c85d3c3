import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const TAIL = 1024 * 1024;

export interface Tail {
  readonly bytes: Buffer;
  /** Where in the file they begin. */
  readonly from: number;
}

/** The end of a file that a client writes; undefined for what cannot be read. */
export function tailOf(path: unknown): Tail | undefined {
  if (typeof path !== 'string') return undefined;
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, TAIL));
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return { bytes, from: size - bytes.length };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

export function readTail(path: unknown): string {
  return tailOf(path)?.bytes.toString('utf8') ?? '';
}
