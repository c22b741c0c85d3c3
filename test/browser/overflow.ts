import type { Page } from 'playwright-core';

/** By how many pixels the window, and the part of it that scrolls, are wider than they may be. */
export function overflow(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    [document.documentElement, document.getElementById('scroller')].map(
      (box) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0),
    ),
  );
}
