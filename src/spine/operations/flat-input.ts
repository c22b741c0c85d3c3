import type { z } from 'zod';
import type { Operation } from './define.ts';

export interface FlatParts {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
}

/**
 * Where arguments arrive as one object (an MCP tool call, a command line, a client's call), each goes to the part
 * that declares it; what no part declares belongs to the body, or to the query where there is no body.
 */
export function splitFlatInput(operation: Operation, flat: Readonly<Record<string, unknown>>): FlatParts {
  const { path, query, headers, body } = operation.input;
  const parts = { path: {}, query: {}, headers: {} } as Record<string, Record<string, unknown>>;
  const rest: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(flat)) {
    if (value === undefined) continue;
    const owner =
      path && key in path.shape ? parts.path : query && key in query.shape ? parts.query : undefined;
    (owner ?? (headers && key in headers.shape ? parts.headers : rest))![key] = value;
  }
  const { path: inPath = {}, query: inQuery = {}, headers: inHeaders = {} } = parts;
  if (!body) return { path: inPath, query: { ...inQuery, ...rest }, headers: inHeaders, body: undefined };
  return { path: inPath, query: inQuery, headers: inHeaders, body: bodyOf(operation, body, rest) };
}

function bodyOf(operation: Operation, schema: z.ZodType, rest: Record<string, unknown>): unknown {
  if (operation.bodyName) return rest[operation.bodyName];
  return Object.keys(rest).length === 0 && schema.type === 'optional' ? undefined : rest;
}
