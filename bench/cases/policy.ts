import { performance } from 'node:perf_hooks';
import { analyze } from '../../src/governance/rules/analysis/analyze.ts';
import { type CompiledAction, compilePolicies } from '../../src/governance/rules/policy/compile.ts';
import { decide } from '../../src/governance/rules/policy/decide.ts';
import { type ResolutionDraft, resolve } from '../../src/governance/rules/resolve/resolve.ts';
import { traceImpact } from '../../src/governance/rules/trace/impact.ts';
import type { Policy } from '../../src/governance/schema/atlas.ts';
import type { RecordedInput } from '../../src/governance/schema/inputs.ts';
import { uuidV7Source } from '../../src/kernel/ids.ts';
import { formatMicros } from '../../src/kernel/instant.ts';
import type { JsonObject } from '../../src/kernel/json/value.ts';
import { eventHash, GENESIS_HASH } from '../../src/kernel/trace/event.ts';
import { nodeHasher, nodeRandom, systemClock } from '../../src/platform/index.ts';
import type { BenchCase, Fact } from '../harness.ts';
import { casbinAsk, cedarAsk } from '../policy/peers.ts';
import { atlasFor, INPUT, largeWorld, setFor } from '../policy/worlds.ts';

const SMALL_ACTIONS = [
  'resource.get',
  'resource.list',
  'resource.create',
  'resource.update',
  'resource.delete',
];
const SMALL_POLICIES: Policy[] = [
  { policy_id: 'read', type: 'allow', actions: ['resource.get', 'resource.list'] },
  { policy_id: 'write', type: 'allow', actions: ['resource.create', 'resource.update'] },
  { policy_id: 'no-delete', type: 'deny', actions: ['resource.delete'] },
];
const RESOLVE = {
  agentId: INPUT.agentId,
  goal: 'Manage resources',
  riskTier: 'low' as const,
  hints: [],
  requiredCapabilities: [],
  context: {},
  scopes: new Set<string>(),
  now: INPUT.now,
};

/** Every event of a resolve, chained and hashed, in memory. */
function traced(draft: ResolutionDraft, ids: () => string): string {
  const session = ids();
  const trace = ids();
  const span = ids();
  let previous: string = GENESIS_HASH;
  let sequence = 0;
  const emit = (type: string, payload: JsonObject) => {
    previous = eventHash(nodeHasher, {
      trace_version: '1.0',
      event_id: ids(),
      trace_id: trace,
      span_id: span,
      parent_span_id: session,
      session_id: session,
      sequence,
      timestamp: formatMicros(systemClock.now()),
      event_type: type,
      payload,
      previous_event_hash: previous,
    });
    sequence += 1;
  };
  emit('carp.request.received', { request_id: trace, operation: 'resolve', goal: RESOLVE.goal });
  for (const evaluation of draft.evaluations) emit('policy.evaluated', { ...evaluation });
  emit('carp.resolution.completed', {
    resolution_id: span,
    decision_type: draft.outcome.type,
    allowed_count: draft.allowed.length,
    denied_count: draft.denied.length,
  });
  return previous;
}

function percentile(samples: number[], share: number): number {
  samples.sort((a, b) => a - b);
  return samples[Math.floor(samples.length * share)] ?? 0;
}

function fact(name: string, value: number, unit: string, limit: number, text: string, atLeast = false): Fact {
  return { name, value, unit, goal: { text, met: atLeast ? value >= limit : value <= limit } };
}

function facts(): Fact[] {
  const large = largeWorld(10_000);
  const loaded = [{ atlas: atlasFor(large.actions, large.policies), mode: 'enforce' as const }];
  const cold = [];
  for (let n = 0; n < 5; n += 1) {
    const set = compilePolicies(loaded);
    const began = performance.now();
    resolve(set, RESOLVE);
    cold.push(performance.now() - began);
  }
  const set = compilePolicies(loaded);
  const actions = large.actions.map((id) => set.action(id) as CompiledAction);
  const single: number[] = [];
  for (let n = 0; n < 200_000; n += 1) {
    const action = actions[(n * 31) % actions.length] as CompiledAction;
    const began = process.hrtime.bigint();
    decide(action, INPUT);
    single.push(Number(process.hrtime.bigint() - began) / 1000);
  }
  const middle = largeWorld(100);
  const analysed = setFor(middle.actions.slice(0, 200), middle.policies);
  const began = performance.now();
  analyze(analysed);
  const analysis = performance.now() - began;
  return [
    fact('one decision among 10,000 policies, p50', percentile(single, 0.5), 'µs', 3, 'at most 3 µs'),
    fact('one decision among 10,000 policies, p99', percentile(single, 0.99), 'µs', 50, 'at most 50 µs'),
    fact('cold resolve of 1,000 actions, 10,000 policies', percentile(cold, 0.5), 'ms', 10, 'at most 10 ms'),
    fact('analysis of 200 actions, 100 policies', analysis, 'ms', 1000, 'at most 1 s'),
    fact('recorded requests decided again', impactRate(), 'requests/s', 10_000, 'at least 10,000/s', true),
  ];
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
  traceImpact(records, () => before, after);
  return (records.length / (performance.now() - began)) * 1000;
}

export const benchCase: BenchCase = {
  name: 'policy',
  title: 'Policy decisions against Cedar and Casbin',
  async prepare() {
    // Before the peers are loaded, so that they share no caches with them.
    const measured = facts();
    const small = setFor(SMALL_ACTIONS, SMALL_POLICIES);
    const ids = uuidV7Source(systemClock, nodeRandom);
    const large = largeWorld(10_000);
    const set = setFor(large.actions, large.policies);
    const thousand = largeWorld(1_000);
    const middle = setFor(thousand.actions, thousand.policies);
    const casbinSmall = await casbinAsk(SMALL_POLICIES);
    const cedarSmall = cedarAsk(SMALL_POLICIES, 'small');
    const casbinLarge = await casbinAsk(large.policies);
    const cedarLarge = cedarAsk(large.policies, 'large');
    for (const id of SMALL_ACTIONS) {
      const wanted = decide(small.action(id) as CompiledAction, INPUT).effect === 'allow';
      if ((await casbinSmall(id)) !== wanted || cedarSmall(id) !== wanted)
        throw new Error(`the peers differ on ${id}`);
    }
    for (const id of large.actions.slice(0, 20)) {
      const wanted = decide(set.action(id) as CompiledAction, INPUT).effect === 'allow';
      if ((await casbinLarge(id)) !== wanted || cedarLarge(id) !== wanted)
        throw new Error(`the peers differ on ${id}`);
    }
    const each = (times: number, ids: readonly string[], ask: (id: string) => unknown) => () => {
      for (let n = 0; n < times; n += 1) ask(ids[(n * 31) % ids.length] as string);
      return times;
    };
    const ours = (from: typeof set) => (id: string) => decide(from.action(id) as CompiledAction, INPUT);
    return {
      facts: measured,
      comparisons: [
        {
          title: 'Resolve five actions under three policies (ours with all its events, chained and hashed)',
          unit: 'resolves',
          sides: {
            ours: () => {
              for (let n = 0; n < 2_000; n += 1) traced(resolve(small, RESOLVE), ids);
              return 2_000;
            },
            cedar: () => {
              for (let n = 0; n < 200; n += 1) for (const id of SMALL_ACTIONS) cedarSmall(id);
              return 200;
            },
            casbin: async () => {
              for (let n = 0; n < 200; n += 1) for (const id of SMALL_ACTIONS) await casbinSmall(id);
              return 200;
            },
          },
          goals: [
            { text: 'at least 10,000 traced resolves/s', met: (rates) => (rates.ours ?? 0) >= 10_000 },
            {
              text: 'no slower than Cedar deciding alone',
              met: (rates) => (rates.ours ?? 0) >= (rates.cedar ?? 0),
            },
            {
              text: 'no slower than Casbin deciding alone',
              met: (rates) => (rates.ours ?? 0) >= (rates.casbin ?? 0),
            },
          ],
        },
        {
          title: 'One decision among 10,000 policies',
          unit: 'decisions',
          sides: {
            ours: each(200_000, large.actions, ours(set)),
            cedar: each(5, large.actions, cedarLarge),
            casbin: async () => {
              for (const id of large.actions.slice(0, 5)) await casbinLarge(id);
              return 5;
            },
          },
          goals: [
            {
              text: 'at least 100 times Cedar',
              met: (rates) => (rates.ours ?? 0) >= 100 * (rates.cedar ?? 0),
            },
            {
              text: 'at least 100 times Casbin',
              met: (rates) => (rates.ours ?? 0) >= 100 * (rates.casbin ?? 0),
            },
          ],
        },
        {
          title: 'Decisions at 1,000 policies, rules only',
          unit: 'decisions',
          sides: { ours: each(200_000, thousand.actions, ours(middle)) },
          goals: [{ text: 'at least 50,000 decisions/s', met: (rates) => (rates.ours ?? 0) >= 50_000 }],
        },
      ],
    };
  },
};
