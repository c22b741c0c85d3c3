import type { Operation } from './define.ts';
import type { CallableOperation } from './flat-input.ts';

/** A declaration without its schemas: plain data, for tables that a caller loads. */
export function callable({ name, kind, http, bodyName, input }: Operation): CallableOperation {
  const { path, query, headers, body } = input;
  return {
    name,
    kind,
    ...(http && { http: { method: http.method, path: http.path } }),
    ...(bodyName !== undefined && { bodyName }),
    input: {
      ...(path && { path: names(path.shape) }),
      ...(query && { query: names(query.shape) }),
      ...(headers && { headers: names(headers.shape) }),
      ...(body && { body: { type: body.type } }),
    },
  };
}

function names(shape: Readonly<Record<string, unknown>>) {
  return { shape: Object.fromEntries(Object.keys(shape).map((name) => [name, 1])) };
}
