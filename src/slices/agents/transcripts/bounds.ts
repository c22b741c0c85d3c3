/** What one conversation may bring: the newest entries, each cut. */
export const MOST_ENTRIES = 600;
export const MOST_TEXT = 4_000;
