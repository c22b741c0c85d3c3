import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** The levels that a page must reach; `color-contrast` alone is what another theme can break. */
type Rules = 'wcag' | 'color-contrast';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe calls serious or critical, as lines that say where. */
export async function seriousViolations(page: Page, rules: Rules = 'wcag'): Promise<string[]> {
  // Not by a script tag: the page's own policy would refuse it, as it should.
  await page.evaluate(axe.source);
  const runOnly = JSON.stringify(rules === 'wcag' ? TAGS : { type: 'rule', values: [rules] });
  const { violations } = (await page.evaluate(`axe.run(document, { runOnly: ${runOnly} })`)) as AxeResults;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`),
    );
}
