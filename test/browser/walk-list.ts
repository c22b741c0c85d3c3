import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

export interface Walked {
  /** The first line of every item, in order. */
  readonly items: readonly string[];
  /** What the list says in the end: `1,951–2,000 of 2,000`. */
  readonly says: string;
}

/** Goes through a list page by page to its end, as a person would. */
export async function walkList(
  page: Page,
  list: Locator,
  pager: string,
  next: 'Next' | 'Older' = 'Older',
): Promise<Walked> {
  const items: string[] = [];
  const pages = page.getByRole('navigation', { name: `Pages of ${pager}` });
  const onward = pages.getByRole('button', { name: next });
  const place = pages.locator('.tabular');
  for (;;) {
    await list.first().waitFor();
    items.push(...(await list.first().locator('> li').allInnerTexts()));
    if ((await onward.isDisabled()) === true) return { items, says: await place.innerText() };
    const before = await place.innerText();
    await onward.click();
    await expect.poll(() => place.innerText(), { timeout: 60_000 }).not.toBe(before);
    // The rows of the page before stay until the next ones are there, and the button says so.
    await expect.poll(() => onward.getAttribute('aria-busy'), { timeout: 60_000 }).toBe('false');
  }
}
