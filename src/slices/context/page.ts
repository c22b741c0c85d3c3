export const LARGEST_PAGE = 200;

/** More than the largest page is asked for often and harmlessly; the cursor leads on. */
export function pageSize(limit: number | undefined, usual: number): number {
  return Math.min(limit ?? usual, LARGEST_PAGE);
}
