/** Whatever a user can be refused: each refusal says which rule, where and what to do, and leaves the run as it was. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { BatonError } from '../../kernel/error.ts';
import type { LooseRecord } from '../../kernel/json/loose.ts';
import { nodeHasher, nodeRandom, systemClock } from '../../platform/index.ts';
import {
  accept,
  applyProposal,
  approve,
  assign,
  checkpointTurn,
  dispatch,
  escalate,
  exportRun,
  initProject,
  openRepository,
  openWorkspace,
  type RunRepository,
  reject,
  reportOf,
  resume,
  runStatus,
  runtimeAdapters,
  showGate,
  startMulti,
  startRun,
  step,
} from './commands.ts';
import { deliveryErrors, deliveryRefusals } from './errors.ts';
import { readLease, writeLease } from './repository/leases.ts';
import { processId } from './repository/processes.ts';
import type { ActiveTurn } from './run-state.ts';
import { SMALL_CONFIG, type TestRepository, testRepository, turnResult } from './testing.ts';

interface Scene {
  readonly repo: TestRepository;
  readonly repository: RunRepository;
  /** The turn under way, dispatched. */
  readonly turn: ActiveTurn;
}

interface Case {
  readonly code: string;
  readonly when: string;
  /** Set where the protocol wants the refusal itself on record: then history and ledger are what must not change. */
  readonly recorded?: true;
  readonly config?: LooseRecord;
  readonly git?: true;
  /** Before the first turn, where there must be none. */
  readonly untouched?: true;
  arrange?(scene: Scene): Promise<void> | void;
  act(scene: Scene): Promise<unknown>;
}

const adapters = runtimeAdapters();
const hook = (script: string): LooseRecord => ({
  name: 'guard',
  type: 'process',
  mode: 'blocking',
  timeout_ms: 30_000,
  command: [process.execPath, '-e', script],
});
const OBJECTION = { id: 'OBJ-001', severity: 'low', statement: 'Not sure', status: 'raised' };
const DECISION = { id: 'DEC-001', category: 'process', statement: 'Go', rationale: 'We must' };
const reviewer: LooseRecord = {
  ...SMALL_CONFIG,
  routing: { implementation: { entry_role: 'qa', allowed_next_roles: ['qa', 'human'] } },
};
const gated: LooseRecord = {
  ...SMALL_CONFIG,
  routing: { implementation: { entry_role: 'dev', exit_gate: 'ship' } },
  gates: { ship: { requires_human_approval: true } },
};
const withShip = (gate: LooseRecord): LooseRecord => ({
  ...gated,
  gates: { ship: { requires_human_approval: true, ...gate } },
});
const atGate = async ({ repo, repository, turn }: Scene) => {
  repo.stage(turn.turn_id, turnResult(turn, { run_completion_request: true, proposed_next_role: 'human' }));
  await accept(repository);
};

/** What is wrong with a staged result, and what it is refused as. */
function staged(code: string, when: string, changes: LooseRecord, more: Partial<Case> = {}): Case {
  return {
    code,
    when,
    recorded: true,
    ...more,
    async act({ repo, repository, turn }) {
      const { absent, ...rest } = changes;
      const result = turnResult(turn, rest);
      if (typeof absent === 'string') delete (result as Record<string, unknown>)[absent];
      repo.stage(turn.turn_id, result);
      return accept(repository);
    },
  };
}

const CASES: readonly Case[] = [
  {
    code: 'run_not_initialized',
    when: 'there is no agentxchain.json',
    act: ({ repo }) => runStatus(openRepository({ ...machine(repo), root: `${repo.root}/.agentxchain` })),
  },
  {
    code: 'run_already_initialized',
    when: 'a project is set up twice',
    act: ({ repo }) => initProject(repo.root),
  },
  {
    code: 'lock_timeout',
    when: 'somebody else holds the lock',
    act: ({ repo, repository }) =>
      repository.exclusively(() =>
        escalate(openRepository({ ...machine(repo), root: repo.root, lockWaitMs: 60 }), 'Stop'),
      ),
  },
  {
    code: 'state_corrupt',
    when: 'state.json is broken',
    arrange: ({ repo }) => repo.write('.agentxchain/state.json', '{"status":'),
    act: ({ repository }) => runStatus(repository),
  },
  {
    code: 'journal_conflict',
    when: 'a file is shorter than a half-finished change found it',
    arrange: ({ repository }) => {
      mkdirSync(repository.keep.journal, { recursive: true });
      writeFileSync(
        join(repository.keep.journal, 'txn_1.json'),
        JSON.stringify({
          id: 'txn_1',
          kind: 'accept',
          appends: [{ file: '.agentxchain/history.jsonl', text: '{}\n', before: 10_000 }],
          replaces: [],
          removes: [],
        }),
      );
    },
    act: ({ repository }) => escalate(repository, 'Stop'),
  },
  {
    code: 'changed_outside',
    when: 'somebody has edited the configuration while a person is asked',
    config: gated,
    async arrange(scene) {
      await atGate(scene);
      scene.repo.forge('agentxchain.json', JSON.stringify({ ...gated, gates: {} }));
    },
    act: ({ repository }) => approve(repository),
  },
  {
    code: 'governed_files_changed',
    when: 'the session was rewritten while the turn was at work',
    recorded: true,
    arrange: ({ repo, turn }) => {
      repo.forge('.agentxchain/session.json', '{}');
      repo.stage(turn.turn_id, turnResult(turn));
    },
    act: ({ repository }) => accept(repository),
  },
  {
    code: 'turn_leased',
    when: 'another process waits for the agent',
    async arrange({ repo, repository, turn }) {
      repo.stage(turn.turn_id, turnResult(turn));
      const lease = await readLease(repository.keep, turn.turn_id);
      if (lease === undefined) throw new Error('The turn has no lease.');
      await writeLease(repository.keep, { ...lease, holder: await processId(process.ppid) });
    },
    act: ({ repository }) => accept(repository),
  },
  {
    code: 'gate_attached',
    when: 'a run that belongs to a project is approved on its files',
    config: gated,
    async arrange(scene) {
      await atGate(scene);
      scene.repo.write('.agentxchain/attached.json', '{"repository_id":"repo_1","project_id":"p"}');
    },
    act: ({ repository }) => approve(repository),
  },
  { code: 'staging_missing', when: 'nothing is staged', act: ({ repository }) => accept(repository) },
  {
    code: 'stale_staging',
    when: 'the flat staging file is another turn’s',
    arrange: ({ repo, turn }) =>
      repo.write(
        '.agentxchain/staging/turn-result.json',
        JSON.stringify({ ...turnResult(turn), turn_id: 'turn_0' }),
      ),
    act: ({ repository }) => accept(repository),
  },
  {
    code: 'staging_malformed',
    when: 'the staged result is no JSON',
    arrange: ({ repo, turn }) => repo.write(`.agentxchain/staging/${turn.turn_id}/turn-result.json`, '{'),
    act: ({ repository }) => accept(repository),
  },
  {
    code: 'acceptance_drift',
    when: 'a file changes while the turn is judged',
    recorded: true,
    git: true,
    config: {
      ...SMALL_CONFIG,
      hooks: {
        before_acceptance: [
          hook("require('fs').writeFileSync('src/app.ts','other');console.log('{\"verdict\":\"allow\"}')"),
        ],
      },
    },
    arrange: ({ repo }) => repo.write('src/app.ts', 'mine'),
    act: ({ repo, repository, turn }) => {
      repo.stage(turn.turn_id, turnResult(turn));
      return accept(repository);
    },
  },
  {
    code: 'bundle_tampered',
    when: 'PROMPT.md was edited after it was sealed',
    arrange: ({ repo, turn }) => repo.write(`.agentxchain/dispatch/turns/${turn.turn_id}/PROMPT.md`, 'Obey'),
    act: ({ repository }) => step(repository, { adapters }),
  },
  {
    code: 'hook_stopped',
    when: 'a blocking hook blocks',
    recorded: true,
    config: {
      ...SMALL_CONFIG,
      hooks: { before_validation: [hook('console.log(\'{"verdict":"block","message":"No"}\')')] },
    },
    act: ({ repo, repository, turn }) => {
      repo.stage(turn.turn_id, turnResult(turn));
      return accept(repository);
    },
  },
  {
    code: 'gate_action_failed',
    when: 'an action of the gate fails',
    recorded: true,
    config: withShip({ gate_actions: [{ run: 'exit 3', label: 'Deploy' }] }),
    arrange: atGate,
    act: ({ repository }) => approve(repository),
  },
  {
    code: 'resolution_required',
    when: 'no policy can be asked',
    config: withShip({ requires_resolution: 'Ship it' }),
    arrange: atGate,
    act: ({ repository }) => approve(repository),
  },
  {
    code: 'proposal_missing',
    when: 'the turn proposed nothing',
    act: ({ repository }) => applyProposal(repository, 'turn_0'),
  },
  {
    code: 'proposal_unsafe',
    when: 'a proposal reaches outside the repository',
    arrange: ({ repo }) =>
      repo.write(
        '.agentxchain/proposed/turn_0/PROPOSAL.json',
        JSON.stringify({ changes: [{ path: '../evil', action: 'delete' }] }),
      ),
    act: ({ repository }) => applyProposal(repository, 'turn_0'),
  },
  {
    code: 'checkpoint_failed',
    when: 'the turn changed no file',
    config: reviewer,
    arrange: async ({ repo, repository, turn }) => {
      repo.stage(
        turn.turn_id,
        turnResult(turn, { files_changed: [], artifact: { type: 'review' }, objections: [OBJECTION] }),
      );
      await accept(repository);
    },
    act: ({ repository }) => checkpointTurn(repository),
  },
  {
    code: 'export_unverified',
    when: 'an export was altered',
    act: async ({ repository }) =>
      reportOf(
        JSON.parse(JSON.stringify(await exportRun(repository)).replace('active', 'paused')),
        nodeHasher,
      ),
  },
  {
    code: 'refused',
    when: 'a coordinator names repositories that do not fit',
    arrange: ({ repo }) =>
      repo.write(
        'agentxchain-multi.json',
        JSON.stringify({
          schema_version: '0.1',
          project: { id: 'm', name: 'M' },
          repos: {},
          workstreams: {},
        }),
      ),
    act: ({ repo }) => startMulti(openWorkspace({ ...machine(repo), root: repo.root })),
  },
  {
    code: 'invalid_state_transition',
    when: 'a run that goes on is resumed',
    act: ({ repository }) => resume(repository),
  },
  {
    code: 'invalid_config',
    when: 'a role has no runtime',
    untouched: true,
    config: { ...SMALL_CONFIG, runtimes: {} },
    act: ({ repository }) => startRun(repository),
  },
  {
    code: 'admission_rejected',
    when: 'no role may write what the gate wants',
    untouched: true,
    config: {
      ...reviewer,
      routing: { implementation: { entry_role: 'qa', allowed_next_roles: ['qa'], exit_gate: 'built' } },
      gates: { built: { requires_files: ['src/a.ts'] } },
    },
    act: ({ repository }) => startRun(repository),
  },
  {
    code: 'turn_not_active',
    when: 'a turn is named that is not in progress',
    act: ({ repository }) => reject(repository, { turnId: 'turn_0' }),
  },
  {
    code: 'turn_not_found',
    when: 'a checkpoint is asked for before any turn was accepted',
    act: ({ repository }) => checkpointTurn(repository),
  },
  {
    code: 'turn_already_accepted',
    when: 'a turn is accepted again',
    arrange: async ({ repo, repository, turn }) => {
      repo.stage(turn.turn_id, turnResult(turn));
      await accept(repository);
    },
    act: ({ repository, turn }) => accept(repository, { turnId: turn.turn_id }),
  },
  {
    code: 'target_required',
    when: 'several turns are in progress and none is named',
    config: {
      ...SMALL_CONFIG,
      routing: {
        implementation: { entry_role: 'dev', allowed_next_roles: ['dev', 'qa'], max_concurrent_turns: 2 },
      },
    },
    arrange: async ({ repository }) => void (await assign(repository, 'qa')),
    act: ({ repository }) => accept(repository),
  },
  {
    code: 'unknown_gate',
    when: 'a gate is asked about that does not exist',
    act: ({ repository }) => showGate(repository, 'nowhere'),
  },
  staged('schema_error', 'a field has the wrong type', { files_changed: 'src/app.ts' }),
  staged('missing_required_field', 'the summary is absent', { absent: 'summary' }),
  staged('assignment_error', 'another role answers', { role: 'qa' }),
  staged('turn_id_mismatch', 'another turn answers', { turn_id: 'turn_0' }),
  staged('artifact_error', 'a workspace holds no file', { files_changed: [] }),
  staged('reserved_path_violation', 'the orchestrator’s own file is claimed', {
    files_changed: ['.agentxchain/state.json'],
  }),
  staged('verification_error', 'a pass hides a failure', {
    verification: {
      status: 'pass',
      machine_evidence: [{ command: 'npm test', exit_code: 1, expected_exit_code: 0 }],
    },
  }),
  staged('protocol_error', 'a phase is asked for that does not exist', {
    phase_transition_request: 'nowhere',
  }),
  staged(
    'challenge_requirement_violated',
    'a reviewer objects to nothing',
    { files_changed: [], artifact: { type: 'review' } },
    { config: reviewer },
  ),
  staged('mutually_exclusive_requests', 'a turn asks for two ends at once', {
    phase_transition_request: 'qa',
    run_completion_request: true,
  }),
  staged('duplicate_decision_id', 'one id is used twice', { decisions: [DECISION, DECISION] }),
  staged('override_validation_failed', 'a decision overrides one that does not exist', {
    decisions: [{ ...DECISION, overrides: 'DEC-099', durability: 'repo' }],
  }),
  staged(
    'artifact_mismatch',
    'git sees a change that is not declared',
    {},
    {
      git: true,
      arrange: ({ repo }) => repo.write('src/other.ts', 'undeclared'),
    },
  ),
  staged(
    'gate_coverage',
    'the next phase is asked for while its documents are missing',
    { phase_transition_request: 'qa' },
    { config: { ...SMALL_CONFIG, gates: { built: { requires_files: ['NOTES.md'] }, ship: {} } } },
  ),
  staged(
    'policy_violation',
    'a policy of the project is broken',
    { cost: { usd: 9 } },
    {
      config: {
        ...SMALL_CONFIG,
        policies: [{ id: 'cheap', rule: 'max_cost_per_turn', action: 'block', params: { limit: 1 } }],
      },
    },
  ),
];

/** Codes that no case here provokes, and why. */
const NOT_HERE: Readonly<Record<string, string>> = {
  repository_not_found: 'over HTTP: handlers.test.ts',
  repository_taken: 'over HTTP: mirror/mirror.test.ts',
  repository_unattached: 'on the command line: test/delivery/a2a.test.ts',
  immutable_field: 'fixtures only: no command changes the id of a run',
  run_id_mismatch:
    'fixtures only: a wrong run id is mended when the turn id is right, else that is what is named',
  invalid_decision_id_format: 'the ledger alone: such ids are rewritten in a turn result',
  empty_required_field: 'the ledger alone: the schema refuses it in a turn result first',
  invalid_enum_value: 'the ledger alone: an unknown category is mended in a turn result',
  tree_failed: 'git itself fails',
  merge_blocked: 'turns with a work tree of their own: tests of those',
  commits_outside: 'turns with a work tree of their own: tests of those',
  git_changed: 'turns with a work tree of their own: tests of hostile surroundings',
  gate_documents_changed: 'documents that a turn has written: tests of hostile agents',
  finalization_failed: 'the engine always writes the bundle that it seals',
  projection_failed:
    'the coordinator only places turns that its own repositories accepted: conformance fixtures',
  cross_repo_write_violation: 'a path outside is refused in the repository first: conformance fixtures',
};

const RECORD = ['history.jsonl', 'decision-ledger.jsonl', 'repo-decisions.jsonl'].map(
  (name) => `.agentxchain/${name}`,
);

function machine(repo: TestRepository) {
  return { keepIn: repo.keepIn, clock: systemClock, random: nodeRandom, hasher: nodeHasher };
}

describe('a refusal', () => {
  let repo: TestRepository;
  afterEach(() => repo?.remove());

  async function scene({ config = SMALL_CONFIG, git, untouched }: Case): Promise<Scene> {
    repo = testRepository(config, { git: git === true });
    const repository = repo.open();
    if (untouched) return { repo, repository, turn: undefined as never };
    await startRun(repository);
    const { turn } = await assign(repository);
    await dispatch(repository, turn.turn_id);
    return { repo, repository, turn };
  }

  it.each(CASES)('is $code when $when', async (tried) => {
    const set = await scene(tried);
    await tried.arrange?.(set);
    const before = repo.bytes();
    const error: unknown = await tried.act(set).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(BatonError);
    const { code, message, next, details, pointer } = error as BatonError;
    expect({ code, message }).toEqual({ code: tried.code, message: expect.stringMatching(/\S/) });
    expect(next).toMatch(/\S/);
    if (Object.hasOwn(deliveryRefusals.specs, code)) {
      expect({ code, rule: details?.rule, field: details?.field }).toEqual({
        code,
        rule: expect.stringMatching(/^[a-z_]+\.[a-z_.]+/),
        field: expect.stringMatching(/\S/),
      });
      expect(pointer).toMatch(/^\//);
    }
    const after = repo.bytes();
    if (!tried.recorded) expect(after).toEqual(before);
    for (const path of RECORD) expect([path, after[path]]).toEqual([path, before[path]]);
  });

  it('has a case for every code, or a reason why there is none', () => {
    const codes = [...Object.keys(deliveryErrors.specs), ...Object.keys(deliveryRefusals.specs)].sort();
    const spoken = [...new Set(CASES.map(({ code }) => code)), ...Object.keys(NOT_HERE)].sort();
    expect(spoken).toEqual(codes);
  });
});
