import { existsSync, readFileSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../src/kernel/instant.ts';
import { nodeHasher } from '../../src/platform/node-hasher.ts';
import { atlasOf } from '../../src/slices/governance/atlases/rules/atlas.ts';
import { parseManifest } from '../../src/slices/governance/atlases/rules/parse.ts';
import { appliedLimits } from '../../src/slices/governance/policies/rules/applied-limits.ts';
import { checkBudget, costOf } from '../../src/slices/governance/policies/rules/budget.ts';
import { compilePolicies, type PolicySet } from '../../src/slices/governance/policies/rules/compile.ts';
import { DEFAULT_DENY, decide } from '../../src/slices/governance/policies/rules/decide.ts';
import { checkRate } from '../../src/slices/governance/policies/rules/rate.ts';
import { publishedSchemas, type SchemaName } from '../../src/slices/governance/published-schemas/schemas.ts';
import { decisionInputOf, type ResolveInput } from '../../src/slices/governance/resolution/rules/input.ts';
import { resolve } from '../../src/slices/governance/resolution/rules/resolve.ts';
import {
  carpRequestSchema,
  carpResolutionSchema,
  strictCarpRequestSchema,
} from '../../src/slices/governance/resolution/schema.ts';
import { issuesOf } from '../../src/slices/governance/schema.ts';
import { manifestOf } from '../../src/slices/governance/testing/manifest.ts';
import { diffTraces } from '../../src/slices/governance/traces/rules/diff.ts';
import { reconstructState } from '../../src/slices/governance/traces/rules/state.ts';
import { traceEventSchema } from '../../src/slices/governance/traces/schema.ts';

const folder = join(
  process.env.BATON_CORPORA ?? resolvePath(import.meta.dirname, '../../../shared/corpora'),
  'cra',
);
const present = existsSync(folder);
if (!present) console.log(`skipped: CRA corpora, because ${folder} is not there (set BATON_CORPORA)`);

const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const cases = <T>(name: string): T[] => (present ? read(name).cases : []);

interface SchemaCase {
  id: string;
  schema: SchemaName;
  document: unknown;
  valid: boolean;
  error_path?: string;
}

/** Python's `$` takes a line end, JavaScript's does not. */
const INVALID_HERE = new Set(['atlas.id_newline']);
const LENIENT = new Set([
  'request.execute_without_task',
  'atlas.policy_type_requires_approval',
  'atlas.policy_actions_object',
  'atlas.context_blocks',
]);

function strictPointers({ schema, document }: SchemaCase): string[] {
  if (schema === 'atlas-manifest') {
    const parsed = parseManifest(document);
    return parsed.ok ? [] : parsed.issues.map(({ pointer }) => pointer);
  }
  const zod = {
    'carp-request': strictCarpRequestSchema,
    'carp-resolution': carpResolutionSchema,
    'trace-event': traceEventSchema,
  }[schema];
  const parsed = zod.safeParse(document);
  return parsed.success ? [] : issuesOf(parsed.error).map(({ pointer }) => pointer);
}

describe.runIf(present)('schema cases', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  const validators = Object.fromEntries(
    Object.entries(publishedSchemas()).map(([name, schema]) => [name, ajv.compile(schema)]),
  );

  it.each(cases<SchemaCase>('schema-cases.json').map((each) => [each.id, each] as const))(
    '%s',
    (id, each) => {
      const valid = each.valid && !INVALID_HERE.has(id);
      const pointers = strictPointers(each);
      expect(pointers.length === 0).toBe(valid);
      expect(validators[each.schema]!(each.document)).toBe(valid);
      if (each.error_path !== undefined) {
        expect(
          pointers.some(
            (pointer) => pointer === each.error_path || pointer.startsWith(`${each.error_path}/`),
          ),
        ).toBe(true);
      }
      if (LENIENT.has(id)) {
        const taken =
          each.schema === 'carp-request'
            ? carpRequestSchema.safeParse(each.document).success
            : parseManifest(each.document, 'lenient').ok;
        expect(taken).toBe(true);
      }
    },
  );

  it('counts a goal in characters: 10,000 are taken, 10,001 are not', () => {
    const request = cases<SchemaCase>('schema-cases.json')[0]!.document as { task: object };
    const withGoal = (goal: string) =>
      strictCarpRequestSchema.safeParse({ ...request, task: { goal } }).success;
    expect(withGoal('x'.repeat(10_000))).toBe(true);
    expect(withGoal('😀'.repeat(10_000))).toBe(true);
    expect(withGoal('x'.repeat(10_001))).toBe(false);
  });

  it('has seen all 79', () => expect(cases('schema-cases.json').length).toBe(79));
});

interface PolicyCase {
  id: string;
  atlas: Record<string, unknown>;
  request?: { task?: Record<string, unknown> };
  steps?: {
    t: number;
    execute?: string;
    resolve?: boolean;
    parameters?: object;
    reason?: string;
    policy_id?: string;
  }[];
  expect: Record<string, unknown> & {
    allowed?: string[];
    denied?: [string, string | null][];
    decision?: string;
    requires_confirmation?: string[];
    constraints?: string[];
    approval_policy?: string;
    reason_contains?: string;
    context_order?: string[];
    per_step?: string[];
    cases?: Record<string, unknown>[];
    execute_before_approval?: Record<string, string>;
  };
}

const NOW = parseInstant('2026-01-05T12:00:00Z')!.micros;

function setOfCase(given: Record<string, unknown>): PolicySet {
  const parsed = parseManifest({ ...manifestOf(), ...given }, 'lenient');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const files = new Map(
    (parsed.manifest.context_packs ?? []).flatMap((pack) =>
      pack.files.map((file) => [file, `Text of ${file}`] as const),
    ),
  );
  const atlas = atlasOf(nodeHasher, { manifest: parsed.manifest, blocks: parsed.blocks, files });
  return compilePolicies([{ atlas, mode: 'enforce' }]);
}

function inputOfCase(given: Record<string, unknown> = {}): ResolveInput {
  return {
    agentId: (given.agent_id as string) ?? 'agent',
    goal: (given.goal as string) ?? 'goal',
    riskTier: (given.risk_tier as 'low') ?? 'low',
    hints: (given.context_hints as string[]) ?? [],
    requiredCapabilities: (given.required_capabilities as string[]) ?? [],
    context: (given.context as Record<string, unknown>) ?? {},
    scopes: new Set(),
    now: typeof given.now === 'string' ? parseInstant(given.now)!.micros : NOW,
  };
}

function runSteps(
  set: PolicySet,
  steps: NonNullable<PolicyCase['steps']>,
): { outcome: string; reason?: string; policy?: string }[] {
  const logs = new Map<string, number[]>();
  const spent = new Map<string, { at: number; amount: NonNullable<ReturnType<typeof costOf>> }[]>();
  return steps.map((step) => {
    const now = NOW + Math.round(step.t * 1_000_000);
    if (step.resolve) {
      resolve(set, { ...inputOfCase(), now });
      return { outcome: 'resolve' };
    }
    const action = set.action(step.execute!)!;
    const verdict = decide(action, decisionInputOf({ ...inputOfCase(), now }, step.parameters ?? {}));
    expect(verdict.effect).toBe('allow');
    const limits = appliedLimits(action, verdict.limits, {
      projectId: 'p',
      agentId: 'agent',
      sessionId: 's',
      actionId: step.execute!,
    });
    for (const limit of limits) {
      if (limit.kind === 'rate') {
        const calls = logs.get(limit.key) ?? [];
        if (!checkRate(calls, limit.rule, now).ok) {
          return { outcome: 'deny', reason: 'rate_limit_exceeded', policy: limit.policyId };
        }
        logs.set(limit.key, [...calls, now]);
      } else {
        const cost = costOf(
          limit.rule,
          (step.parameters as Record<string, unknown>)?.[limit.rule.costField ?? ''],
        )!;
        const charges = spent.get(limit.key) ?? [];
        if (!checkBudget(charges, limit.rule, cost, now).ok) {
          return { outcome: 'deny', reason: 'budget_exceeded', policy: limit.policyId };
        }
        spent.set(limit.key, [...charges, { at: now, amount: cost }]);
      }
    }
    return { outcome: 'allow' };
  });
}

describe.runIf(present)('policy cases', () => {
  it.each(cases<PolicyCase>('policy-cases.json').map((each) => [each.id, each] as const))('%s', (_, each) => {
    const set = setOfCase(each.atlas);
    const { expect: want } = each;
    if (want.per_step) {
      const told = runSteps(set, each.steps!);
      expect(told.map(({ outcome }) => outcome)).toEqual(want.per_step);
      for (const [at, step] of each.steps!.entries()) {
        if (step.reason) expect(told[at]).toMatchObject({ reason: step.reason, policy: step.policy_id });
      }
      return;
    }
    if (want.cases) {
      for (const one of want.cases) {
        const draft = resolve(set, inputOfCase(one));
        if (one.decision) expect(draft.outcome.type).toBe(one.decision);
        if (one.blocks) expect(draft.blocks.map(({ block_id }) => block_id)).toEqual(one.blocks);
        if (one.content) expect(draft.blocks[0]?.content).toBe(one.content);
      }
      return;
    }
    const draft = resolve(set, inputOfCase(each.request?.task));
    if (want.decision) expect(draft.outcome.type).toBe(want.decision);
    if (want.allowed) expect(draft.allowed.map(({ action_id }) => action_id)).toEqual(want.allowed);
    if (want.denied) {
      expect(draft.denied.map(({ action_id, policy_id }) => [action_id, policy_id])).toEqual(
        want.denied.map(([id, policy]) => [id, policy ?? DEFAULT_DENY]),
      );
    }
    if (want.requires_confirmation) {
      expect(draft.allowed.filter((a) => a.requires_confirmation).map((a) => a.action_id)).toEqual(
        want.requires_confirmation,
      );
    }
    if (want.constraints) expect(draft.constraints.map(({ type }) => type)).toEqual(want.constraints);
    if (want.approval_policy) expect(draft.waiting[0]?.policy.policyId).toBe(want.approval_policy);
    if (want.reason_contains) expect(draft.outcome.reason).toContain(want.reason_contains);
    if (want.context_order) expect(draft.blocks.map(({ block_id }) => block_id)).toEqual(want.context_order);
    for (const [actionId, status] of Object.entries(want.execute_before_approval ?? {})) {
      expect(draft.waiting.some((waiting) => waiting.actionId === actionId)).toBe(
        status === 'pending_approval',
      );
    }
  });

  it('has seen all 35', () => expect(cases('policy-cases.json').length).toBe(35));
});

interface DiffCase {
  id: string;
  a: { event_type: string; payload: Record<string, unknown> }[];
  b: { event_type: string; payload: Record<string, unknown> }[];
  expect: { compatibility: string; differences: object[] };
}

describe.runIf(present)('diff cases', () => {
  it.each(cases<DiffCase>('diff-cases.json').map((each) => [each.id, each] as const))('%s', (_, each) => {
    const { compatibility, differences } = diffTraces(each.a, each.b);
    expect({
      compatibility,
      differences: differences.map(({ path, type, significance }) => ({ path, type, significance })),
    }).toEqual(each.expect);
  });
});

describe.runIf(present)('the golden resolution', () => {
  it('has the decision, the actions, the denials and the evaluations of the golden files', () => {
    const manifest = read('golden-simple-resolve/atlas.json');
    const expected = read('golden-simple-resolve/expected-resolution.json');
    const request = read('golden-simple-resolve/request.json');
    const parsed = parseManifest(manifest);
    if (!parsed.ok) throw new Error('the golden atlas is valid');
    const set = compilePolicies([
      { atlas: atlasOf(nodeHasher, { manifest: parsed.manifest }), mode: 'enforce' },
    ]);
    const draft = resolve(set, inputOfCase({ ...request.task, agent_id: request.requester.agent_id }));
    expect(draft.outcome).toEqual({ type: expected.decision.type, reason: expected.decision.reason });
    expect(draft.allowed).toEqual(expected.allowed_actions);
    expect(draft.denied).toEqual(expected.denied_actions);
    expect(draft.constraints).toEqual(expected.constraints);
    expect(draft.blocks).toEqual(expected.context_blocks);
    const trace = readFileSync(join(folder, 'golden-simple-resolve/expected-trace.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(draft.evaluations).toEqual(
      trace.filter((event) => event.event_type === 'policy.evaluated').map((event) => event.payload),
    );
    expect(reconstructState(trace)).toMatchObject({
      agent_id: 'test-agent',
      status: 'active',
      event_count: 8,
    });
  });
});
