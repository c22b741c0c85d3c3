import type { z } from 'zod';
import { type JsonDocument, readDocument } from '../../kernel/json/reader.ts';
import type { OperationInput } from '../operations/define.ts';
import { type CallableOperation, splitFlatInput } from '../operations/flat-input.ts';
import type { InputOf } from '../operations/handler.ts';
import { dispatchErrors } from './errors.ts';

/** What a face has taken apart; values are text where the face only has text. */
export interface InputParts {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly document: JsonDocument | undefined;
}

/** Through MCP and the command line, "as written" is the re-serialised argument. */
export function partsFromFlat(
  operation: CallableOperation,
  flat: Readonly<Record<string, unknown>>,
): InputParts {
  const { body, ...parts } = splitFlatInput(operation, flat);
  return { ...parts, document: body === undefined ? undefined : readDocument(JSON.stringify(body)) };
}

export function parseInput(shape: OperationInput, parts: InputParts): InputOf<OperationInput> {
  return {
    path: shape.path && check(shape.path, parts.path, 'path'),
    query: shape.query && check(shape.query, parts.query, 'query'),
    headers: shape.headers && check(shape.headers, parts.headers, 'headers'),
    body: shape.body && check(shape.body, parts.document?.plain, 'body'),
  } as InputOf<OperationInput>;
}

function check(schema: z.ZodType, value: unknown, part: 'path' | 'query' | 'headers' | 'body'): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => ({
    pointer: pointerTo(issue.path),
    message: issue.message,
  }));
  const first = issues[0];
  const where = part === 'body' ? `at ${first?.pointer || 'the top'} of the body` : `in the ${part}`;
  throw dispatchErrors.invalid_input({
    message:
      part === 'body' && value === undefined
        ? 'The operation needs a JSON body.'
        : `${first?.message ?? 'Invalid input'} ${where}${part === 'body' ? '' : ` (${first?.pointer})`}.`,
    pointer: first?.pointer ?? '',
    details: { part, issues: issues.slice(0, 20) },
  });
}

function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
