import { readDocument } from '../../kernel/json/reader.ts';
import { type CallableOperation, splitFlatInput } from '../operations/flat-input.ts';
import type { InputParts } from './parse.ts';

/** Through MCP and the command line, "as written" is the re-serialised argument. */
export function partsFromFlat(
  operation: CallableOperation,
  flat: Readonly<Record<string, unknown>>,
): InputParts {
  const { body, ...parts } = splitFlatInput(operation, flat);
  return { ...parts, document: body === undefined ? undefined : readDocument(JSON.stringify(body)) };
}
