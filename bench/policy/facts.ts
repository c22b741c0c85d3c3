import { performance } from 'node:perf_hooks';
import { analyze } from '../../src/slices/governance/atlases/analysis/analyze.ts';
import { measureImpact } from '../../src/slices/governance/impact/rules/impact.ts';
import { type CompiledAction, compilePolicies } from '../../src/slices/governance/policies/rules/compile.ts';
import { decide } from '../../src/slices/governance/policies/rules/decide.ts';
import { resolve } from '../../src/slices/governance/resolution/rules/resolve.ts';
import type { RecordedInput } from '../../src/slices/governance/traces/schema.ts';
import { type Fact, median, quantile } from '../harness.ts';
import { atlasFor, INPUT, largeWorld, RESOLVE, SMALL_ACTIONS, SMALL_POLICIES, setFor } from './worlds.ts';

/** Single figures of ours alone, each with the goal it must reach. */
export function policyFacts(): Fact[] {
  const single = singleDecisions();
  return [
    atMost('one decision among 10,000 policies, p50', quantile(single, 0.5), 'µs', 3),
    atMost('one decision among 10,000 policies, p99', quantile(single, 0.99), 'µs', 50),
    atMost('compile 10,000 policies and resolve 1,000 actions, p50', median(coldResolves()), 'ms', 10),
    atMost('analysis of 200 actions, 100 policies', analysisTime(), 'ms', 1000),
    atLeast('recorded requests decided again', impactRate(), 'requests/s', 10_000),
  ];
}

function atMost(name: string, value: number, unit: string, limit: number): Fact {
  return { name, value, unit, goal: { text: `at most ${limit} ${unit}`, met: value <= limit } };
}

function atLeast(name: string, value: number, unit: string, limit: number): Fact {
  return {
    name,
    value,
    unit,
    goal: { text: `at least ${limit.toLocaleString('en')} ${unit}`, met: value >= limit },
  };
}

function singleDecisions(): number[] {
  const { actions, policies } = largeWorld(10_000);
  const set = setFor(actions, policies);
  const compiled = actions.map((id) => set.action(id) as CompiledAction);
  return Array.from({ length: 200_000 }, (_, n) => {
    const action = compiled[(n * 31) % compiled.length] as CompiledAction;
    const began = process.hrtime.bigint();
    decide(action, INPUT);
    return Number(process.hrtime.bigint() - began) / 1000;
  });
}

/** Nothing of the set is kept from one to the next; the code itself is warm, as in a server that is given an Atlas. */
function coldResolves(): number[] {
  const { actions, policies } = largeWorld(10_000);
  const loaded = [{ atlas: atlasFor(actions, policies), mode: 'enforce' as const }];
  return Array.from({ length: 25 }, () => {
    const began = performance.now();
    resolve(compilePolicies(loaded), RESOLVE);
    return performance.now() - began;
  });
}

function analysisTime(): number {
  const { actions, policies } = largeWorld(100);
  const set = setFor(actions.slice(0, 200), policies);
  const began = performance.now();
  analyze(set);
  return performance.now() - began;
}

function impactRate(): number {
  const before = atlasFor(SMALL_ACTIONS, SMALL_POLICIES);
  const after = atlasFor(SMALL_ACTIONS, SMALL_POLICIES.slice(0, 2));
  const records = Array.from(
    { length: 20_000 },
    (_, n): RecordedInput => ({
      inputs_version: '1',
      session_id: 's',
      request_id: `r${n}`,
      resolution_id: null,
      agent_id: `agent-${n % 10}`,
      goal: RESOLVE.goal,
      risk_tier: 'low',
      context_hints: [],
      required_capabilities: [],
      context: {},
      scopes: [],
      decided_at: '2026-01-01T00:00:00.000000Z',
      atlases: [{ atlas_id: 'com.bench.policy', version: '1.0.0', digest: before.digest, mode: 'enforce' }],
      resolution_digest: '',
    }),
  );
  const began = performance.now();
  measureImpact({ inputs: records, calls: [] }, () => before, { projectId: '', next: after });
  return (records.length / (performance.now() - began)) * 1000;
}
