import { afterEach, describe, expect, it } from 'vitest';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { approve } from '../gates/decide.ts';
import { SMALL_CONFIG, type TestRepository, testRepository, turnResult } from '../testing.ts';
import { accept } from '../turns/accept.ts';
import { assign } from '../turns/assign.ts';
import { dispatch } from '../turns/dispatch.ts';
import { startRun } from './start.ts';
import { verifyRun } from './verify.ts';

const ALTERNATIONS = process.env.BATON_PROVE === '1' ? 20 : 6;
const AT = '2026-03-01T09:30:00.000Z';

/** States and rows in the forms in which the protocol's own runner writes them, built by hand. */
describe('a run that another runner shares', () => {
  let repo: TestRepository;
  afterEach(() => repo.remove());

  function shared(changes: LooseRecord = {}) {
    const { qa: _qa, ...routing } = SMALL_CONFIG.routing as LooseRecord;
    repo = testRepository({ ...SMALL_CONFIG, routing, interchange: true, ...changes }, { git: true });
    return repo.open();
  }
  const state = () => JSON.parse(repo.read('.agentxchain/state.json'));
  const put = (changes: LooseRecord) =>
    repo.forge('.agentxchain/state.json', JSON.stringify({ ...state(), ...changes }, null, 2));

  /** As that runner assigns: its own baseline, and members that are not ours. */
  function assignedElsewhere(turnId: string): LooseRecord {
    const { run_id, accepted_sequence, turn_sequence } = state();
    const turn = {
      turn_id: turnId,
      run_id,
      assigned_role: 'dev',
      runtime_id: 'manual',
      status: 'running',
      attempt: 1,
      assigned_at: AT,
      started_at: AT,
      deadline_at: '2027-03-01T09:30:00.000Z',
      baseline: {
        kind: 'git_worktree',
        head_ref: repo.git('rev-parse', 'HEAD').trim(),
        clean: true,
        captured_at: AT,
        dirty_snapshot: {},
      },
      assigned_sequence: accepted_sequence,
      concurrent_with: [],
    };
    put({ active_turns: { [turnId]: turn }, turn_sequence: turn_sequence + 1, budget_reservations: {} });
    return turn;
  }

  function acceptedElsewhere(turn: { readonly turn_id: string; readonly run_id: string | null }) {
    const { accepted_sequence } = state();
    const row = {
      ...turnResult({ ...turn, assigned_role: 'dev', runtime_id: 'manual' }),
      phase: 'implementation',
      observed_artifact: { derived_by: 'orchestrator', files_changed: ['src/app.ts'], file_markers: {} },
      assigned_sequence: accepted_sequence,
      accepted_sequence: accepted_sequence + 1,
      accepted_at: AT,
    };
    repo.forge('.agentxchain/history.jsonl', `${readHistory()}${JSON.stringify(row)}\n`);
    put({
      active_turns: {},
      accepted_sequence: accepted_sequence + 1,
      last_completed_turn_id: turn.turn_id,
    });
  }
  const readHistory = () => {
    try {
      return repo.read('.agentxchain/history.jsonl');
    } catch {
      return '';
    }
  };

  it(`takes ${ALTERNATIONS} turns in alternation, each half of a turn by either runner`, async () => {
    const repository = shared();
    await startRun(repository);
    for (let round = 0; round < ALTERNATIONS; round += 1) {
      if (round % 2 === 0) {
        const turn = assignedElsewhere(`turn_${String(round).padStart(16, '0')}`);
        repo.forge('src/app.ts', `round ${round}\n`);
        repo.stage(String(turn.turn_id), turnResult(turn as never, { proposed_next_role: 'dev' }));
        expect(await accept(repository)).toMatchObject({ outcome: 'accepted' });
      } else {
        const { turn } = await assign(repository);
        await dispatch(repository, turn.turn_id);
        repo.forge('src/app.ts', `round ${round}\n`);
        acceptedElsewhere(turn);
      }
      repo.git('add', '-A', 'src');
      repo.git('commit', '-q', '-m', `round ${round}`);
      const { history } = await repository.snapshot();
      expect(history).toHaveLength(round + 1);
    }
    const { checks } = await verifyRun(repository);
    expect(checks.find(({ check }) => check === 'pinned files')).toMatchObject({
      faults: [],
      notes: expect.arrayContaining([expect.stringContaining('taken over (another runner)')]),
    });
  });

  it('is not taken over where nobody has said that it is shared', async () => {
    const repository = shared({ interchange: false });
    await startRun(repository);
    put({ status: 'completed' });
    await expect(assign(repository)).rejects.toMatchObject({ code: 'changed_outside' });
    expect((await repository.snapshot()).state.status).toBe('active');
  });

  it('opens no gate that asks a person while it is attached', async () => {
    const repository = shared({
      routing: { implementation: { entry_role: 'dev', exit_gate: 'ship' } },
    });
    await startRun(repository);
    repo.write('.agentxchain/attached.json', '{"repository_id":"repo_1","project_id":"p"}');
    const { turn } = await assign(repository);
    await dispatch(repository, turn.turn_id);
    repo.stage(
      turn.turn_id,
      turnResult(turn, {
        files_changed: [],
        artifact: { type: 'review' },
        run_completion_request: true,
        proposed_next_role: 'human',
      }),
    );
    await repository.exclusively(async ({ keep }) => {
      const { writeRecord } = await import('../repository/keep.ts');
      await writeRecord(keep, { attached: { repository_id: 'repo_1', project_id: 'p' } });
    });
    put({ active_turns: {}, status: 'completed', phase_gate_status: { ship: 'passed' } });
    await expect(approve(repository, { by: 'mallory' })).rejects.toMatchObject({
      code: 'changed_outside',
      message: expect.stringContaining('ship'),
    });
  });
});
