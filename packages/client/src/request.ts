import { type CallableOperation, splitFlatInput } from '../../../src/spine/operations/flat-input.ts';

/** The request that asks for an operation: everything but the server's address and the credential. */
export function buildRequest(operation: CallableOperation, flat: Readonly<Record<string, unknown>>) {
  if (!operation.http) throw new Error(`${operation.name} has no HTTP face`);
  const { path, query, headers, body } = splitFlatInput(operation, flat);
  const filled = operation.http.path.replace(/\{(\w+)\*?\}/g, (_, name: string) =>
    encodeURIComponent(String(path[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) search.append(name, String(item));
  }
  const text = search.size > 0 ? `?${search}` : '';
  return {
    method: operation.http.method,
    target: `${filled}${text}`,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}
