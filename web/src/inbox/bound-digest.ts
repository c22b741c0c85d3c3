/** What a digest is taken of. */
export type Bound = Readonly<Record<string, unknown>>;

/** RFC 8785: JSON with the names of every object in order. Written out, since objects put names like `10` first. */
export function boundText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(boundText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${boundText(member)}`).join(',')}}`;
}

/** Undefined where the browser has no hash at hand, which is on pages that are neither local nor encrypted. */
export async function boundDigest(bound: Bound): Promise<string | undefined> {
  if (globalThis.crypto?.subtle === undefined) return undefined;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(boundText(bound)));
  const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `jcs-sha256:${hex}`;
}
