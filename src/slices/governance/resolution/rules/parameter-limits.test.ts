import { describe, expect, it } from 'vitest';
import { nodeHasher } from '../../../../platform/node-hasher.ts';
import { checkManifest } from '../../atlases/check.ts';
import { TEMPLATES } from '../../atlases/files/templates.ts';
import { parseManifest } from '../../atlases/rules/parse.ts';
import { compilePolicies } from '../../policies/rules/compile.ts';
import { resolve } from './resolve.ts';

function resolved(template: string) {
  const manifest = { ...TEMPLATES[template]?.manifest, atlas_id: 'com.example.t' };
  const { atlas } = checkManifest(parseManifest(manifest), nodeHasher);
  if (!atlas) throw new Error('not loadable');
  return resolve(compilePolicies([{ atlas, mode: 'enforce' }]), {
    agentId: 'bot',
    goal: 'x',
    riskTier: 'low',
    hints: [],
    requiredCapabilities: [],
    context: {},
    scopes: new Set(),
    now: 0,
  });
}

describe('a resolution tells the agent what rules say of parameters', () => {
  it('in words', () => {
    const refund = resolved('support-refunds').allowed.find(({ action_id: id }) => id === 'order.refund');
    expect(refund?.description).toBe(
      'Pays money back to the customer (Allowed by small-refunds if amount is greater than 0 and amount is at most 50 and currency is one of ["EUR","USD"]. Needs a person by large-refunds if amount is greater than 50.)',
    );
    const run = resolved('coding-agent').allowed.find(({ action_id: id }) => id === 'command.run');
    expect(run?.description).toContain('Denied by no-downloads if command runs ["curl **"');
  });

  it('in the schema, where one rule alone allows it', () => {
    const write = resolved('support-refunds').allowed.find(({ action_id: id }) => id === 'order.refund');
    expect(write?.parameters_schema).not.toHaveProperty('allOf');
    const { atlas } = checkManifest(
      parseManifest({
        atlas_version: '1.0',
        atlas_id: 'com.example.t',
        version: '1.0.0',
        name: 'T',
        description: '',
        actions: [{ action_id: 'order.refund', name: 'R', description: 'Pays' }],
        policies: [{ policy_id: 'p', type: 'allow', parameters: { when: { 'order.total': { lte: 100 } } } }],
      }),
      nodeHasher,
    );
    if (!atlas) throw new Error('not loadable');
    const input = { agentId: 'b', goal: '', riskTier: 'low' as const, hints: [], requiredCapabilities: [] };
    const draft = resolve(compilePolicies([{ atlas, mode: 'enforce' }]), {
      ...input,
      context: {},
      scopes: new Set(),
      now: 0,
    });
    expect(draft.allowed[0]?.parameters_schema).toEqual({
      allOf: [
        {
          type: 'object',
          required: ['order'],
          properties: {
            order: { type: 'object', required: ['total'], properties: { total: { maximum: 100 } } },
          },
        },
      ],
    });
  });
});
