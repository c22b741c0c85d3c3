/** Where a one-time link leads. The secret stands behind the `#`, so that it reaches no log, no proxy and no referrer. */
export function signInPath(link: string): string {
  return `/sign-in#${link}`;
}
