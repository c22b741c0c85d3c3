import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadFixtures } from '../../packages/conformance/src/agentxchain/fixture-file.ts';
import { checkConformance } from '../../packages/conformance/src/agentxchain/index.ts';
import { systemClock } from '../../src/platform/index.ts';
import { readConfig } from '../../src/slices/delivery/config/rules/read.ts';
import { execute } from '../../src/slices/delivery/conformance/execute.ts';
import { idleState } from '../../src/slices/delivery/run-state.ts';
import { validateTurnResult } from '../../src/slices/delivery/turns/rules/result/validate.ts';
import { prepareRepositories } from '../delivery-run.ts';
import type { BenchCase, Fact, Side } from '../harness.ts';
import { langGraphRun } from '../langgraph-run.ts';

const OWN = resolve('specs/agentxchain/fixtures');
const PUBLIC = join(process.env.BATON_CORPORA ?? resolve('../shared/corpora'), 'agentxchain', 'fixtures');
const ROUNDS = 20_000;
const RUNS = 11;

/** A turn as agents hand it in: a decision, an objection, a few files, evidence. */
const RESULT = {
  schema_version: '1.0',
  run_id: 'run_1',
  turn_id: 'turn_1',
  role: 'dev',
  runtime_id: 'manual',
  status: 'completed',
  summary: 'Built the basket, with tests, and wrote down how it is checked.',
  decisions: [
    {
      id: 'DEC-001',
      category: 'architecture',
      statement: 'One store',
      rationale: 'Simple',
      durability: 'repo',
    },
  ],
  objections: [{ id: 'OBJ-001', severity: 'low', statement: 'Names may be empty', status: 'raised' }],
  files_changed: ['src/basket.ts', 'src/basket.test.ts', '.planning/IMPLEMENTATION_NOTES.md'],
  verification: { status: 'pass', machine_evidence: [{ command: 'npm test', exit_code: 0 }] },
  artifact: { type: 'workspace' },
  proposed_next_role: 'human',
};

function validateInProcess(): Side {
  const config = readConfig({
    roles: { dev: { title: 'Dev', mandate: 'Build', write_authority: 'authoritative', runtime: 'manual' } },
    runtimes: { manual: { type: 'manual' } },
  });
  const turn = {
    turn_id: 'turn_1',
    run_id: 'run_1',
    assigned_role: 'dev',
    runtime_id: 'manual',
    status: 'running' as const,
    attempt: 1,
    assigned_at: null,
    started_at: null,
    deadline_at: null,
    baseline: null,
    assigned_sequence: 0,
    concurrent_with: [],
  };
  const state = {
    ...idleState('p', 'implementation'),
    run_id: 'run_1',
    status: 'active' as const,
    active_turns: { turn_1: turn },
  };
  const context = { state, config, turn, history: [], takenDecisionIds: new Set<string>() };
  return () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      if (!validateTurnResult(RESULT, context).ok) throw new Error('the result should be valid');
    }
    return ROUNDS;
  };
}

/** Fixtures of the same operation as the adapter runs them: setup made whole, judged, compared. */
async function throughTheAdapter(): Promise<Side> {
  const all = await loadFixtures(OWN, { tier: 3 });
  const fixtures = all.filter(
    ({ document }) => (document.input as { operation: string }).operation === 'validate_turn_result',
  );
  return async () => {
    for (const { document } of fixtures) {
      if ((await execute(document)).status !== 'pass') throw new Error('a fixture fails');
    }
    return fixtures.length;
  };
}

/** As a verifier runs it: one process for each fixture, each answer graded by us. */
async function overStdio(name: string, fixtures: string): Promise<Fact[]> {
  const started = performance.now();
  const report = await checkConformance({ clock: systemClock, tier: 3, target: '.', fixtures, strict: true });
  const seconds = (performance.now() - started) / 1000;
  const tiers = Object.values(report.results);
  const run = tiers.reduce((sum, tier) => sum + tier.fixtures_run, 0);
  const passed = tiers.reduce((sum, tier) => sum + tier.fixtures_passed, 0);
  return [
    {
      name: `${name}: fixtures that pass`,
      value: passed,
      unit: `of ${run}`,
      goal: { text: 'all', met: passed === run },
    },
    { name: `${name}: the whole corpus`, value: seconds, unit: 's' },
    { name: `${name}: one fixture, its process included`, value: (seconds / run) * 1000, unit: 'ms' },
  ];
}

/** What a process costs before it does anything, for scale. */
function emptyProcess(): Fact {
  const times = Array.from({ length: 20 }, () => {
    const started = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    return performance.now() - started;
  }).sort((a, b) => a - b);
  return { name: 'an empty Node process (median)', value: times[10] ?? 0, unit: 'ms' };
}

export const benchCase: BenchCase = {
  name: 'delivery',
  title: 'Delivery: AgentXchain fixtures and turn results',
  async prepare() {
    if (!existsSync('dist/conform.js')) throw new Error('Build first: npm run build');
    const corpus = existsSync(PUBLIC)
      ? await overStdio('public corpus', PUBLIC)
      : await overStdio('our corpus', OWN);
    const { governedRun, bareGit, close } = prepareRepositories(2 * (RUNS + 1));
    const graph = await langGraphRun();
    return {
      close,
      facts: [...corpus, emptyProcess()],
      comparisons: [
        {
          title: 'Judging turn results in process',
          unit: 'results',
          sides: { 'the rules': validateInProcess(), 'whole fixtures': await throughTheAdapter() },
          goals: [],
        },
        {
          title: 'Three governed turns, beside the bare git commands that they need',
          unit: 'turns',
          rounds: RUNS,
          sides: {
            'a governed run': governedRun,
            'bare git': bareGit,
            ...(graph !== undefined && { 'LangGraph with SQLite, without git': graph }),
          },
          goals: [
            {
              text: 'a governed run takes at most 2 times as long as bare git',
              met: (_rates, kept) => (kept['bare git'] ?? 0) >= 0.5,
            },
          ],
        },
      ],
    };
  },
};
