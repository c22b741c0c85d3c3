import { readPlain } from '../../kernel/json/reader.ts';

const MAX_BYTES = 32 * 1024 * 1024;

/** Reads a document of an agent, hook or editor strictly: a duplicate key or a lone surrogate is an error. */
export function parseDocument(source: string | Uint8Array): unknown {
  return readPlain(source, { maxBytes: MAX_BYTES });
}

/** The same, but undefined for anything that is not JSON. */
export function tryParse(source: string | Uint8Array): unknown {
  try {
    return parseDocument(source);
  } catch {
    return undefined;
  }
}
