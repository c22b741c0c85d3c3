import { parseInstant } from '../../../../kernel/instant.ts';
import { compilePolicies, type LoadedAtlas, type PolicySet } from '../../policies/rules/compile.ts';
import type { ResolveInput } from '../../resolution/rules/input.ts';
import { type ResolutionDraft, resolve } from '../../resolution/rules/resolve.ts';
import type { RecordedInput } from '../schema.ts';

export function inputOfRecord(record: RecordedInput): ResolveInput {
  return {
    agentId: record.agent_id,
    goal: record.goal,
    riskTier: record.risk_tier,
    hints: record.context_hints,
    requiredCapabilities: record.required_capabilities,
    context: record.context,
    scopes: new Set(record.scopes),
    now: parseInstant(record.decided_at)?.micros ?? 0,
  };
}

export function redecide(set: PolicySet, record: RecordedInput): ResolutionDraft {
  return resolve(set, inputOfRecord(record));
}

/** Compiles each set of Atlases once, however many requests were decided by it. */
export function policySets(): (key: string, load: () => readonly LoadedAtlas[]) => PolicySet {
  const sets = new Map<string, PolicySet>();
  return (key, load) => {
    let set = sets.get(key);
    if (!set) {
      set = compilePolicies(load());
      sets.set(key, set);
    }
    return set;
  };
}

export function setKey(record: RecordedInput): string {
  return record.atlases.map(({ digest, mode }) => `${digest} ${mode}`).join('\n');
}
