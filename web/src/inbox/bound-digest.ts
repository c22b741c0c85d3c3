/** What a digest is taken of: names, texts, lists of texts, and nothing where there is nothing. */
export type Bound = Readonly<Record<string, string | null | readonly string[]>>;

/** RFC 8785 of such a record is its JSON with the names in order. */
export function boundText(bound: Bound): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(bound).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))),
  );
}

/** Undefined where the browser has no hash at hand, which is on pages that are neither local nor encrypted. */
export async function boundDigest(bound: Bound): Promise<string | undefined> {
  if (globalThis.crypto?.subtle === undefined) return undefined;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(boundText(bound)));
  const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `jcs-sha256:${hex}`;
}
