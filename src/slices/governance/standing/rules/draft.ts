/** The next version of an Atlas, in which what was always approved is no longer asked. Pure. */
import { inc } from 'semver';
import type { AtlasManifest, Policy } from '../../atlases/schema.ts';
import { type Region, whenOf } from './region.ts';

export interface Exception {
  readonly policyId: string;
  readonly agentId: string;
  readonly actionId: string;
  readonly region: Region;
  readonly reason: string;
}

export interface DraftedRule {
  readonly manifest: AtlasManifest;
  /** The new rule's. */
  readonly policyId: string;
}

/** Beyond that, nobody reads the condition any more. */
const MOST_ALTERNATIVES = 24;
const GLOB = /[*?]/;

/**
 * Two changes: the rule that asks no longer asks about these calls, and a new one allows exactly them. Undefined where the
 * rule cannot be narrowed to one action and to these values, because it names its actions by a pattern or judges in Cedar.
 */
export function draftRule(manifest: AtlasManifest, exception: Exception): DraftedRule | undefined {
  const { policies = [] } = manifest;
  const at = policies.findIndex(({ policy_id }) => policy_id === exception.policyId);
  const asking = policies[at];
  const version = inc(manifest.version, 'minor');
  if (asking?.type !== 'require_approval' || version === null) return undefined;
  const actions = asking.actions ?? ['*'];
  if (actions.some((each) => GLOB.test(each)) || !actions.includes(exception.actionId)) return undefined;
  const when = exceptedWhen(asking.parameters?.when, exception);
  if (when === undefined) return undefined;
  const taken = new Set(policies.map(({ policy_id }) => policy_id));
  const others = actions.filter((each) => each !== exception.actionId);
  const narrowed: Policy = {
    ...asking,
    actions: [exception.actionId],
    parameters: { ...asking.parameters, when },
  };
  const rest: Policy[] =
    others.length === 0
      ? []
      : [{ ...asking, policy_id: unusedId(`${asking.policy_id}-others`, taken), actions: others }];
  const policyId = unusedId(`${exception.policyId}-standing`, taken);
  const granted = whenOf(exception.region);
  const allowing: Policy = {
    policy_id: policyId,
    type: 'allow',
    actions: [exception.actionId],
    conditions: { agents: [exception.agentId] },
    parameters: { reason: exception.reason, ...(granted && { when: granted }) },
  };
  return {
    policyId,
    manifest: {
      ...manifest,
      version,
      policies: [...policies.slice(0, at), narrowed, ...rest, allowing, ...policies.slice(at + 1)],
    },
  };
}

/** Asks still where the agent is another one, or where one of the values is: one alternative for each. */
function exceptedWhen(
  when: unknown,
  { agentId, region }: Exception,
): Record<string, unknown> | Record<string, unknown>[] | undefined {
  const groups = when === undefined ? [{}] : Array.isArray(when) ? when : [when];
  const bounds = [{ path: '@agent', test: { eq: agentId } }, ...region.bounds];
  if (groups.length * bounds.length > MOST_ALTERNATIVES) return undefined;
  const alternatives: Record<string, unknown>[] = [];
  for (const group of groups as Record<string, unknown>[]) {
    for (const { path, test } of bounds) {
      const present = Object.hasOwn(group, path) ? testsIn(group[path]) : {};
      if (Object.hasOwn(present, 'not')) return undefined;
      alternatives.push({ ...group, [path]: { ...present, not: test } });
    }
  }
  return alternatives.length === 1 ? alternatives[0] : alternatives;
}

function testsIn(test: unknown): Record<string, unknown> {
  const isTests = typeof test === 'object' && test !== null && !Array.isArray(test);
  return isTests ? (test as Record<string, unknown>) : { eq: test };
}

function unusedId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let n = 2; taken.has(id); n += 1) id = `${wanted}-${n}`;
  taken.add(id);
  return id;
}
