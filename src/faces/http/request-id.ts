const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The caller's own where it can stand in a header and a log line. */
export function requestIdOf(
  given: string | undefined,
  { newRequestId }: { readonly newRequestId: () => string },
): string {
  return given !== undefined && REQUEST_ID.test(given) ? given : newRequestId();
}
