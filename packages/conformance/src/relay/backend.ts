import type { Micros } from '../../../../src/kernel/clock.ts';

export const BACKENDS = ['baton', 'tempo', 'phoenix'] as const;
export type BackendName = (typeof BACKENDS)[number];

export interface Backend {
  /** Where it answers queries. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** No span of the run is older. */
  readonly since: Micros;
}

/** Undefined for a 404. */
export async function getJson<T>(
  { url, headers }: Pick<Backend, 'url' | 'headers'>,
  path: string,
  query: readonly (readonly [string, string])[] = [],
): Promise<T | undefined> {
  const asked = new URL(`${url}${path}`);
  for (const [name, value] of query) asked.searchParams.append(name, value);
  const response = await fetch(asked, { headers: { accept: 'application/json', ...headers } });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`the backend answered ${response.status} to ${asked.pathname}`);
  return (await response.json()) as T;
}
