import { readPlain } from '../../kernel/json/reader.ts';

const MAX_BYTES = 32 * 1024 * 1024;

/** Documents of agents, hooks and editors, read strictly: a duplicate key or a lone surrogate is an error. */
export function parseDocument(source: string | Uint8Array): unknown {
  return readPlain(source, { maxBytes: MAX_BYTES });
}

/** The same, where the caller only needs to know that it was no JSON. */
export function tryParse(source: string | Uint8Array): unknown {
  try {
    return parseDocument(source);
  } catch {
    return undefined;
  }
}
