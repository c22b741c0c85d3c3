/** What a percent-encoded part of an address says; undefined where it cannot be decoded, which is the caller's mistake. */
export function decodedPath(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
