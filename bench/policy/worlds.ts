import { nodeHasher } from '../../src/platform/node-hasher.ts';
import type { Atlas } from '../../src/slices/governance/atlases/rules/atlas.ts';
import { atlasOf } from '../../src/slices/governance/atlases/rules/atlas.ts';
import type { AtlasManifest, Policy } from '../../src/slices/governance/atlases/schema.ts';
import { compilePolicies, type PolicySet } from '../../src/slices/governance/policies/rules/compile.ts';
import type { DecisionInput } from '../../src/slices/governance/policies/rules/decide.ts';
import type { ResolveInput } from '../../src/slices/governance/resolution/rules/input.ts';

export const SMALL_ACTIONS = [
  'resource.get',
  'resource.list',
  'resource.create',
  'resource.update',
  'resource.delete',
];
export const SMALL_POLICIES: readonly Policy[] = [
  { policy_id: 'read', type: 'allow', actions: ['resource.get', 'resource.list'] },
  { policy_id: 'write', type: 'allow', actions: ['resource.create', 'resource.update'] },
  { policy_id: 'no-delete', type: 'deny', actions: ['resource.delete'] },
];
/** How many actions of a large world the contenders must agree on before they are timed. */
export const LARGE_SAMPLE = 20;

export function manifestFor(actionIds: readonly string[], policies: readonly Policy[]): AtlasManifest {
  return {
    atlas_version: '1.0',
    atlas_id: 'com.bench.policy',
    version: '1.0.0',
    name: 'Bench',
    description: 'Rules to be measured',
    actions: actionIds.map((id) => ({ action_id: id, name: id, description: id })),
    policies: [...policies],
  };
}

export function atlasFor(actionIds: readonly string[], policies: readonly Policy[]): Atlas {
  return atlasOf(nodeHasher, { manifest: manifestFor(actionIds, policies) });
}

export function setFor(actionIds: readonly string[], policies: readonly Policy[]): PolicySet {
  return compilePolicies([{ atlas: atlasFor(actionIds, policies), mode: 'enforce' }]);
}

/** 1,000 actions in 50 domains, and policies of every form over them. */
export function largeWorld(policyCount: number): { actions: string[]; policies: Policy[] } {
  const actions = Array.from({ length: 1000 }, (_, n) => `d${n % 50}.r${Math.floor(n / 50)}.v${n}`);
  const policies = Array.from({ length: policyCount }, (_, n): Policy => {
    const action = actions[(n * 7919) % actions.length] as string;
    const [domain, resource] = action.split('.');
    const globs = [action, `${domain}.${resource}.*`, `*.v${n % 1000}`, `${domain}.*`];
    return {
      policy_id: `p${n}`,
      type: n % 10 === 0 ? 'deny' : 'allow',
      actions: [n % 20 === 3 ? (globs[3] as string) : (globs[n % 3] as string)],
    };
  });
  return { actions, policies };
}

export const INPUT: DecisionInput = {
  agentId: 'agent',
  riskTier: 'low',
  context: {},
  scopes: new Set(),
  now: 1_770_000_000_000_000,
};

export const RESOLVE: ResolveInput = {
  agentId: INPUT.agentId,
  goal: 'Manage resources',
  riskTier: 'low',
  hints: [],
  requiredCapabilities: [],
  context: {},
  scopes: new Set(),
  now: INPUT.now,
};
