import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** What a page must keep to; `color-contrast` alone is what another theme can break. */
type Rules = 'all' | 'color-contrast';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Everything that axe finds, as lines that say where. */
export async function violations(page: Page, rules: Rules = 'all'): Promise<string[]> {
  // Not by a script tag: the page's own policy would refuse it, as it should.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const runOnly = JSON.stringify(rules === 'all' ? TAGS : { type: 'rule', values: [rules] });
  const options = `{ runOnly: ${runOnly}, resultTypes: ['violations'] }`;
  const found = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResults;
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`),
  );
}
