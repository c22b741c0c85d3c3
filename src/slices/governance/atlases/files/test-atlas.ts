import { z } from 'zod';
import { parseInstant } from '../../../../kernel/instant.ts';
import { asString } from '../../../../kernel/json/loose.ts';
import { createChainVerifier } from '../../../../kernel/trace/verify-chain.ts';
import { nodeHasher } from '../../../../platform/node-hasher.ts';
import {
  type CompiledAction,
  type CompiledPolicy,
  compilePolicies,
  PHASES,
  type PolicySet,
} from '../../policies/rules/compile.ts';
import { conditionOutcomes } from '../../policies/rules/condition-outcomes.ts';
import { DEFAULT_DENY, type DecisionInput, decide, inputFor } from '../../policies/rules/decide.ts';
import { explain } from '../../policies/rules/explain.ts';
import { issuesOf, openObject, riskTierSchema } from '../../schema.ts';
import type { TraceRecord } from '../../traces/rules/state.ts';
import { filesBelow, readInside, requireAtlas } from './read.ts';

export interface AtlasTestOutcome extends AtlasTestReport {
  readonly passed: boolean;
  /** Whether the tests reached at least `minimum` of the policies. */
  readonly enough: boolean;
}

/** `baton atlas test DIR [--min-coverage N]`: replays `tests/*.trace.jsonl` and runs `tests/*.cases.json`. */
export async function testAtlas(directory: string, minimum = 0): Promise<AtlasTestOutcome> {
  const atlas = await requireAtlas(directory, { hasher: nodeHasher });
  const tester = new AtlasTester(compilePolicies([{ atlas, mode: 'enforce' }]));
  for (const path of await filesBelow(directory, 'tests', '.cases.json')) {
    const parsed = caseFileSchema.safeParse(JSON.parse((await readInside(directory, path)) ?? ''));
    if (parsed.success)
      for (const each of parsed.data.cases) tester.case({ ...each, name: `${path}: ${each.name}` });
    else {
      const [issue] = issuesOf(parsed.error);
      tester.fail(path, `${issue?.message ?? 'not readable'} at ${issue?.pointer || 'the top'}`);
    }
  }
  for (const path of await filesBelow(directory, 'tests', '.trace.jsonl')) {
    const lines = ((await readInside(directory, path)) ?? '').split('\n').filter((line) => line !== '');
    const verifier = createChainVerifier(nodeHasher, { profile: 'auto' });
    for (const line of lines) verifier.push(line);
    const report = verifier.finish();
    if (!report.valid) tester.fail(path, `the trace does not verify: ${report.errors[0]?.error}`);
    else
      tester.trace(
        path,
        lines.map((line) => JSON.parse(line) as TraceRecord),
      );
  }
  const report = tester.report();
  const enough = report.covered >= minimum;
  return { ...report, enough, passed: enough && report.results.every(({ passed }) => passed) };
}

/** `tests/*.cases.json` of an Atlas: what is expected of single decisions. */
const caseFileSchema = z.strictObject({
  cases: z.array(
    z.strictObject({
      name: z.string(),
      action_id: z.string(),
      agent_id: z.string().optional(),
      risk_tier: riskTierSchema.optional(),
      context: openObject.optional(),
      scopes: z.array(z.string()).optional(),
      now: z.string().optional(),
      parameters: openObject.optional(),
      /** What the server knows: facts that a person asserted, and whose credential asks. */
      facts: z
        .array(z.strictObject({ subject: z.string(), predicate: z.string(), value: z.string() }))
        .optional(),
      asker: z
        .strictObject({
          actor: z.string().optional(),
          actor_type: z.enum(['human', 'agent', 'script']).optional(),
          credential: z.string().optional(),
          project: z.string().optional(),
        })
        .optional(),
      expect: z.enum(['allow', 'deny', 'require_approval']),
      policy_id: z.string().optional(),
    }),
  ),
});
export type AtlasCase = z.infer<typeof caseFileSchema>['cases'][number];

export interface TestResult {
  readonly name: string;
  readonly passed: boolean;
  readonly message?: string;
}

export interface PolicyCoverage {
  readonly policy_id: string;
  readonly matched: number;
  readonly won: number;
  /** How often each of its conditions held, and did not, for the actions that it is about. */
  readonly conditions: readonly {
    readonly condition: string;
    readonly held: number;
    readonly failed: number;
  }[];
}

export interface AtlasTestReport {
  readonly results: readonly TestResult[];
  readonly coverage: readonly PolicyCoverage[];
  /** The share of policies that decided at least one test. */
  readonly covered: number;
}

/** Counts which policies the tests of an Atlas reach. */
export class AtlasTester {
  private readonly results: TestResult[] = [];
  private readonly matched = new Map<string, number>();
  private readonly won = new Map<string, number>();
  private readonly conditions = new Map<string, Map<string, { held: number; failed: number }>>();
  private readonly set: PolicySet;

  constructor(set: PolicySet) {
    this.set = set;
  }

  case(test: AtlasCase): void {
    const input: DecisionInput = {
      agentId: test.agent_id ?? 'agent',
      riskTier: test.risk_tier,
      context: test.context ?? {},
      scopes: new Set(test.scopes ?? []),
      now: parseInstant(test.now ?? '2026-01-01T12:00:00Z')?.micros ?? 0,
      ...(test.parameters && { parameters: test.parameters }),
      facts: (test.facts ?? []).map((fact) => ({
        ...fact,
        factId: 'test',
        digest: '',
        by: { id: 'person', type: 'human' },
      })),
      asker: {
        actor: test.asker?.actor ?? test.agent_id ?? 'agent',
        actorType: test.asker?.actor_type ?? 'agent',
        credential: test.asker?.credential ?? 'key',
        project: test.asker?.project ?? 'project',
      },
    };
    const verdict = this.observe(test.action_id, input);
    if (!verdict) this.fail(test.name, `no action ${test.action_id}`);
    else if (verdict.effect !== test.expect) {
      this.fail(test.name, `expected ${test.expect}, got ${verdict.effect} by ${verdict.policyId}`);
    } else if (test.policy_id !== undefined && verdict.policyId !== test.policy_id) {
      this.fail(test.name, `expected ${test.policy_id} to decide, but ${verdict.policyId} did`);
    } else this.results.push({ name: test.name, passed: true });
  }

  /** Every `policy.evaluated` of a recorded trace must come out the same for the agent and tier of that trace. */
  trace(name: string, events: readonly TraceRecord[]): void {
    const agentId =
      asString(events.find((each) => each.event_type === 'session.started')?.payload?.agent_id) ?? '';
    const wrong: string[] = [];
    let decided = 0;
    for (const { event_type: type, payload, timestamp } of events) {
      const actionId = asString(payload?.action_id);
      if (type !== 'policy.evaluated' || actionId === undefined) continue;
      decided += 1;
      const now = parseInstant(timestamp ?? '')?.micros ?? 0;
      const verdict = this.observe(actionId, {
        agentId,
        riskTier: undefined,
        context: {},
        scopes: new Set(),
        now,
      });
      const got = verdict
        ? `${verdict.policyId} ${verdict.effect === 'allow' ? 'allow' : 'deny'}`
        : 'no action';
      const want = `${asString(payload?.policy_id)} ${asString(payload?.result)}`;
      if (got !== want) wrong.push(`${actionId}: recorded ${want}, now ${got}`);
    }
    if (decided === 0) this.fail(name, 'the trace has no decision to compare');
    else if (wrong.length > 0) this.fail(name, wrong.join('; '));
    else this.results.push({ name, passed: true });
  }

  fail(name: string, message: string): void {
    this.results.push({ name, passed: false, message });
  }

  report(): AtlasTestReport {
    const coverage = PHASES.flatMap((phase) =>
      this.set.policies[phase].map(({ policyId }) => ({
        policy_id: policyId,
        matched: this.matched.get(policyId) ?? 0,
        won: this.won.get(policyId) ?? 0,
        conditions: [...(this.conditions.get(policyId) ?? [])].map(([condition, seen]) => ({
          condition,
          ...seen,
        })),
      })),
    );
    const reached = coverage.filter(({ won }) => won > 0).length;
    return {
      results: this.results,
      coverage,
      covered: coverage.length === 0 ? 1 : reached / coverage.length,
    };
  }

  private observe(actionId: string, input: DecisionInput) {
    const action = this.set.action(actionId);
    if (!action) return undefined;
    const verdict = decide(action, input);
    for (const policy of PHASES.flatMap((phase) => action.candidates[phase]))
      this.observeConditions(policy, action, input);
    for (const id of explain(this.set, actionId, input)?.matched ?? []) count(this.matched, id);
    // A limit decides whenever the action may run at all.
    for (const limit of verdict.limits) count(this.won, limit.policyId);
    for (const approval of verdict.approvals.slice(1)) count(this.won, approval.policyId);
    if (verdict.policyId !== DEFAULT_DENY) count(this.won, verdict.policyId);
    return verdict;
  }

  private observeConditions(policy: CompiledPolicy, action: CompiledAction, input: DecisionInput): void {
    const seen = this.conditions.get(policy.policyId) ?? new Map<string, { held: number; failed: number }>();
    this.conditions.set(policy.policyId, seen);
    for (const { condition, held } of conditionOutcomes(policy, action, inputFor(action, input))) {
      const entry = seen.get(condition) ?? { held: 0, failed: 0 };
      seen.set(condition, entry);
      entry[held ? 'held' : 'failed'] += 1;
    }
  }
}

function count(map: Map<string, number>, key: string): void {
  map.set(key, (map.get(key) ?? 0) + 1);
}
