import type { CompiledAction } from '../../../src/slices/governance/policies/rules/compile.ts';
import { decide } from '../../../src/slices/governance/policies/rules/decide.ts';
import { resolve } from '../../../src/slices/governance/resolution/rules/resolve.ts';
import { compete } from '../contender.ts';
import { traced } from '../traced.ts';
import { INPUT, RESOLVE, SMALL_ACTIONS, SMALL_POLICIES, setFor } from '../worlds.ts';

const small = setFor(SMALL_ACTIONS, SMALL_POLICIES);

await compete({
  prepare: (actionIds, policies) => {
    const set = setFor(actionIds, policies);
    return (id) => decide(set.action(id) as CompiledAction, INPUT).effect === 'allow';
  },
  resolve: () => void traced(resolve(small, RESOLVE)),
  turns: { resolves: 2_000, thousand: 400_000, tenThousand: 400_000 },
});
