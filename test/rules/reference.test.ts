import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PARAMETERS } from '../../src/slices/governance/policies/rules/parameters.ts';
import { NESTING, OPERATORS } from '../../src/slices/governance/policies/rules/when/operators.ts';
import { SERVER_VALUES } from '../../src/slices/governance/policies/rules/when/surroundings.ts';

const path = join(import.meta.dirname, '../../docs/rules.md');

/** A cell of a table may hold no bar. */
const cell = (text: string) => text.replaceAll('|', '\\|');

const SECTIONS: Readonly<Record<string, () => string>> = {
  operators: () =>
    [
      '| operator | holds if the value | example |',
      '|---|---|---|',
      ...Object.entries(OPERATORS).map(
        ([name, { summary, example }]) =>
          `| \`${name}\` | ${cell(summary)} | \`${cell(JSON.stringify({ [name]: example }))}\` |`,
      ),
      ...Object.entries(NESTING).map(
        ([name, summary]) => `| \`${name}\` | ${cell(summary)} | \`${EXAMPLES[name]}\` |`,
      ),
    ].join('\n'),
  server: () =>
    [
      '| path | is |',
      '|---|---|',
      ...Object.entries(SERVER_VALUES).map(([name, summary]) => `| \`@${name}\` | ${cell(summary)} |`),
      '| `@facts/SUBJECT/PREDICATE` | the value of that fact of the project, if a person asserted it |',
    ].join('\n'),
  parameters: () =>
    [
      '| type | member | meaning |',
      '|---|---|---|',
      '| all | `reason` | why, for whoever is refused or asked |',
      '| all | `when` | applies only to calls whose parameters fit |',
      ...Object.entries(PARAMETERS).flatMap(([type, schema]) =>
        Object.entries(schema.shape).map(([name, member]) => {
          const { description = '' } = member as { readonly description?: string };
          return `| \`${type}\` | \`${name}\` | ${cell(description)} |`;
        }),
      ),
    ].join('\n'),
};

const EXAMPLES: Readonly<Record<string, string>> = {
  any: '{"files": {"any": {"path": {"path_matches": "*.pem"}}}}',
  all: '{"to": {"all": {".": {"matches": "*@example.com"}}}}',
  not: '{"branch": {"not": {"in": ["main"]}}}',
};

function generated(text: string): string {
  return Object.entries(SECTIONS).reduce((page, [name, section]) => {
    const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- end ${name} -->`];
    const [from, to] = [page.indexOf(begin), page.indexOf(end)];
    if (from < 0 || to < 0) throw new Error(`docs/rules.md has no place for ${name}`);
    return page.slice(0, from + begin.length) + section() + page.slice(to);
  }, text);
}

describe('docs/rules.md', () => {
  it('has every word of the language, as the code has it', () => {
    const text = readFileSync(path, 'utf8');
    const fresh = generated(text);
    if (process.env.BATON_WRITE_DOCS) writeFileSync(path, fresh);
    expect(process.env.BATON_WRITE_DOCS ? fresh : text).toBe(fresh);
  });
});
