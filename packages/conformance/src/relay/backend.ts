import type { Micros } from '../../../../src/kernel/clock.ts';

export const BACKENDS = ['baton', 'tempo', 'phoenix'] as const;
export type BackendName = (typeof BACKENDS)[number];

/** Where a backend is asked, and since when what it is asked for may be there. */
export interface Backend {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly since: Micros;
}

/** Undefined where the backend knows nothing of it. */
export async function getJson(
  { url, headers }: Backend,
  path: string,
  query: readonly (readonly [string, string])[] = [],
): Promise<unknown> {
  const asked = new URL(`${url}${path}`);
  for (const [name, value] of query) asked.searchParams.append(name, value);
  const response = await fetch(asked, { headers: { accept: 'application/json', ...headers } });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`the backend answered ${response.status} to ${asked.pathname}`);
  return response.json();
}
