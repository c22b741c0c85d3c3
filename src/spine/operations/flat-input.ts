type Names = { readonly shape: Readonly<Record<string, unknown>> };

/**
 * An operation as far as a caller needs it: where it is found, and where each of its inputs goes. Declarations are
 * of this type, and so are the rows of tables that carry no schemas.
 */
export interface CallableOperation {
  readonly name: string;
  readonly kind: 'call' | 'stream' | 'raw' | 'plain';
  readonly http?: { readonly method: string; readonly path: string };
  readonly bodyName?: string;
  readonly input: {
    readonly path?: Names;
    readonly query?: Names;
    readonly headers?: Names;
    readonly body?: { readonly type: string };
  };
}

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
export function splitFlatInput(
  operation: CallableOperation,
  flat: Readonly<Record<string, unknown>>,
): FlatParts {
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
  return { path: inPath, query: inQuery, headers: inHeaders, body: bodyOf(operation, body.type, rest) };
}

function bodyOf(
  operation: CallableOperation,
  schemaType: string,
  rest: Readonly<Record<string, unknown>>,
): unknown {
  if (operation.bodyName) return rest[operation.bodyName];
  return Object.keys(rest).length === 0 && schemaType === 'optional' ? undefined : rest;
}
