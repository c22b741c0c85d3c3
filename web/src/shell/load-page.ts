/** The program of a page could not be fetched: the server is away, or has newer pages than this one. */
export class PageUnreachableError extends Error {
  override readonly name = 'PageUnreachableError';
}

const NOT_FETCHED = /dynamically imported module|importing a module script|error loading dynamically/i;

/** Browsers say it in their own words, and the router would reload at once, into the browser's own error. */
export async function loadPage<Page>(load: () => Promise<Page>): Promise<Page> {
  try {
    return await load();
  } catch (cause) {
    throw isUnreachable(cause)
      ? new PageUnreachableError('The page could not be fetched.', { cause })
      : cause;
  }
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof PageUnreachableError || (error instanceof Error && NOT_FETCHED.test(error.message));
}
