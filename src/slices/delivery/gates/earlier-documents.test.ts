import { afterEach, describe, expect, it } from 'vitest';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { adoptChanges } from '../runs/adopt.ts';
import { startRun } from '../runs/start.ts';
import { type TestRepository, testRepository, turnResult } from '../testing.ts';
import { accept } from '../turns/accept.ts';
import { assign } from '../turns/assign.ts';
import { dispatch } from '../turns/dispatch.ts';

const NOTES = '.planning/NOTES.md';

const CONFIG: LooseRecord = {
  schema_version: '1.0',
  project: { id: 'p', name: 'P' },
  roles: { dev: { title: 'Dev', mandate: 'Build', write_authority: 'authoritative', runtime: 'manual' } },
  runtimes: { manual: { type: 'manual' } },
  routing: {
    implementation: { entry_role: 'dev', allowed_next_roles: ['dev', 'human'], exit_gate: 'built' },
  },
  gates: { built: { requires_files: [NOTES] } },
};

describe('a document that an earlier run left', () => {
  let repo: TestRepository;
  afterEach(() => repo.remove());

  /** One turn that writes what it is given, says so, and asks for the end of the run. */
  async function turn(documents: Readonly<Record<string, string>>, at: number) {
    const repository = repo.open();
    const { turn: active } = await assign(repository);
    await dispatch(repository, active.turn_id);
    const files = { 'src/app.ts': `export const version = ${at};\n`, ...documents };
    for (const [path, text] of Object.entries(files)) repo.forge(path, text);
    repo.stage(
      active.turn_id,
      turnResult(active, {
        files_changed: Object.keys(files),
        proposed_next_role: 'human',
        run_completion_request: true,
      }),
    );
    return accept(repository);
  }
  const status = async () => (await repo.open().snapshot()).state.status;
  const expectGateShut = async () => {
    const { state } = await repo.open().snapshot();
    expect(state.status).toBe('active');
    expect(state.last_gate_failure?.reasons).toEqual([expect.stringContaining('from before this run')]);
  };
  const commit = () => {
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'What the turn did');
  };

  /** The first run completes with its own document; the second begins with that document in place. */
  async function secondRun(): Promise<void> {
    repo = testRepository(CONFIG, { git: true });
    repo.write('.gitignore', '.agentxchain/\n');
    commit();
    await startRun(repo.open());
    await turn({ [NOTES]: 'What the first run did\n' }, 1);
    expect(await status()).toBe('completed');
    commit();
    await startRun(repo.open(), { restart: true });
  }

  it('opens no gate of the next run', async () => {
    await secondRun();
    await turn({}, 2);
    await expectGateShut();
  });

  it('counts once a turn of the next run has changed it', async () => {
    await secondRun();
    await turn({ [NOTES]: 'What the second run did\n' }, 2);
    expect(await status()).toBe('completed');
  });

  it('does not count for being named by a turn that left it as it was', async () => {
    await secondRun();
    await turn({ [NOTES]: 'What the first run did\n' }, 2);
    await expectGateShut();
  });

  it('counts once a person has vouched for it', async () => {
    await secondRun();
    expect(await adoptChanges(repo.open(), { by: 'ana' })).toMatchObject({ documents: [NOTES] });
    await turn({}, 2);
    expect(await status()).toBe('completed');
  });
});
