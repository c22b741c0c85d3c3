import type { Page } from 'playwright-core';

/** By how many pixels the window, and the part of it that scrolls, are wider than they may be. */
export function overflow(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    [document.documentElement, document.getElementById('scroller')].map(
      (box) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0),
    ),
  );
}

/** The innermost things that reach beyond the part that scrolls, as their markup begins; none where nothing does. */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scroller = document.getElementById('scroller');
    if (!scroller || scroller.scrollWidth <= scroller.clientWidth) return [];
    const edge = scroller.getBoundingClientRect().left + scroller.clientWidth;
    const beyond = [...scroller.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > edge + 1,
    );
    return beyond
      .filter((element) => !beyond.some((other) => other !== element && element.contains(other)))
      .map(
        (element) =>
          `${Math.round(element.getBoundingClientRect().right - edge)} px: ${element.outerHTML.slice(0, 160)}`,
      );
  });
}
