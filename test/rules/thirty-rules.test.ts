import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeHasher } from '../../src/platform/node-hasher.ts';
import { checkManifest } from '../../src/slices/governance/atlases/check.ts';
import { type AtlasCase, AtlasTester } from '../../src/slices/governance/atlases/files/test-atlas.ts';
import { formatManifest } from '../../src/slices/governance/atlases/rules/format-manifest.ts';
import { parseManifest } from '../../src/slices/governance/atlases/rules/parse.ts';
import { compilePolicies } from '../../src/slices/governance/policies/rules/compile.ts';
import { type RealRule, THIRTY_RULES } from './thirty-rules.ts';

const expressed = THIRTY_RULES.filter(({ policies }) => policies);
const COOKBOOK = 20;

function testerOf({ policies = [] }: RealRule): AtlasTester {
  const { atlas, findings } = checkManifest(
    parseManifest({
      atlas_version: '1.0',
      atlas_id: 'com.example.rule',
      version: '1.0.0',
      name: 'Rule',
      description: '',
      actions: [{ action_id: 'it.runs', name: 'It', description: 'Runs' }],
      policies,
    }),
    nodeHasher,
  );
  if (!atlas) throw new Error(JSON.stringify(findings));
  return new AtlasTester(compilePolicies([{ atlas, mode: 'enforce' }]));
}

describe('thirty real rules', () => {
  it('can be said, all but two', () => {
    expect(THIRTY_RULES).toHaveLength(30);
    expect(expressed.length).toBeGreaterThanOrEqual(28);
    for (const { policies, without } of THIRTY_RULES)
      expect(policies === undefined).toBe(without !== undefined);
  });

  it.each(expressed.map((rule) => [rule.name, rule] as const))('%s', (_, rule) => {
    const tester = testerOf(rule);
    for (const [at, [parameters, expectation, more = {}]] of rule.cases.entries()) {
      const request = { name: String(at), action_id: 'it.runs', parameters, expect: expectation, ...more };
      tester.case(request as AtlasCase);
    }
    const { results, coverage } = tester.report();
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
    expect(coverage.filter(({ won }) => won === 0)).toEqual([]);
  });

  it('are the cookbook, as far as that goes', () => {
    const path = join(import.meta.dirname, '../../docs/cookbook.md');
    const text = cookbook();
    if (process.env.BATON_WRITE_DOCS) writeFileSync(path, text);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

function cookbook(): string {
  const recipes = expressed.slice(0, COOKBOOK).map(({ name, policies = [] }) => {
    const written = policies.map((policy) => formatManifest(policy).trimEnd()).join(',\n');
    return `## ${name}\n\n\`\`\`json\n[${written}]\n\`\`\`\n`;
  });
  return [
    '# Twenty rules\n',
    'Policies for the `policies` of an Atlas; add `"actions": ["order.refund"]` to say which actions they are about.',
    '[rules.md](rules.md) explains every word. Each of these is run by a test.\n',
    ...recipes,
  ].join('\n');
}
