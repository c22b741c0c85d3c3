import { toPlain } from '../kernel/json/plain.ts';
import { readJson, readJsonBytes } from '../kernel/json/reader.ts';

const MAX_BYTES = 32 * 1024 * 1024;

/** Documents of agents, hooks and editors, read strictly: a duplicate key or a lone surrogate is an error. */
export function parseDocument(source: string | Uint8Array): unknown {
  const limits = { maxBytes: MAX_BYTES };
  return toPlain(typeof source === 'string' ? readJson(source, limits) : readJsonBytes(source, limits));
}

/** The same, where the caller only needs to know that it was no JSON. */
export function tryParse(source: string | Uint8Array): unknown {
  try {
    return parseDocument(source);
  } catch {
    return undefined;
  }
}
