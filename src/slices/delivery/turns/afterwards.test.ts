import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { startRun } from '../runs/start.ts';
import { SMALL_CONFIG, type TestRepository, testRepository, turnResult } from '../testing.ts';
import { accept } from './accept.ts';
import { assign } from './assign.ts';
import { checkpointTurn } from './checkpoint.ts';
import { dispatch } from './dispatch.ts';
import { applyProposal } from './proposal.ts';
import { replayEvidence } from './replay.ts';

describe('after a turn was accepted', () => {
  let repo: TestRepository;
  afterEach(() => repo.remove());

  async function accepted(
    changes: LooseRecord,
    options: { config?: LooseRecord; git?: boolean; before?: () => void } = {},
  ) {
    repo = testRepository(options.config ?? SMALL_CONFIG, { git: options.git === true });
    const repository = repo.open();
    await startRun(repository);
    const { turn } = await assign(repository);
    await dispatch(repository, turn.turn_id);
    options.before?.();
    repo.stage(turn.turn_id, turnResult(turn, changes));
    await accept(repository);
    return { repository, turn };
  }

  it('its evidence can be run again, and a false claim comes out', async () => {
    const evidence = [
      { command: 'true', exit_code: 0 },
      { command: 'exit 3', exit_code: 0 },
    ];
    const { repository, turn } = await accepted({
      verification: { status: 'pass', machine_evidence: evidence },
    });
    expect(await replayEvidence(repository)).toEqual({
      turnId: turn.turn_id,
      holds: false,
      commands: [
        { command: 'true', claimed: 0, found: 0, holds: true },
        { command: 'exit 3', claimed: 0, found: 3, holds: false },
      ],
    });
    await expect(replayEvidence(repository, 'turn_9')).rejects.toMatchObject({ code: 'turn_not_found' });
  });

  const proposing = {
    ...SMALL_CONFIG,
    roles: {
      ...(SMALL_CONFIG.roles as LooseRecord),
      dev: { title: 'D', mandate: 'M', write_authority: 'proposed', runtime: 'manual' },
    },
  };

  it('its proposal can be carried out, once', async () => {
    const { repository, turn } = await accepted(
      {
        files_changed: [],
        artifact: { type: 'patch' },
        proposed_changes: [
          { path: 'src/new.ts', action: 'create', content: 'export {};\n' },
          { path: 'src/old.ts', action: 'delete' },
        ],
      },
      { config: proposing, before: () => repo.write('src/old.ts', 'x') },
    );
    expect(existsSync(join(repo.root, 'src/new.ts'))).toBe(false);
    expect(await applyProposal(repository, turn.turn_id)).toMatchObject({
      written: ['src/new.ts'],
      deleted: ['src/old.ts'],
    });
    expect(repo.read('src/new.ts')).toBe('export {};\n');
    expect(existsSync(join(repo.root, 'src/old.ts'))).toBe(false);
    await expect(applyProposal(repository, turn.turn_id)).rejects.toMatchObject({ code: 'proposal_missing' });
  });

  it('a proposal that was edited to leave the repository changes nothing', async () => {
    const { repository, turn } = await accepted(
      {
        files_changed: [],
        artifact: { type: 'patch' },
        proposed_changes: [{ path: 'a.ts', action: 'create', content: 'x' }],
      },
      { config: proposing },
    );
    const manifest = `.agentxchain/proposed/${turn.turn_id}/PROPOSAL.json`;
    repo.write(
      manifest,
      JSON.stringify({
        changes: [
          { path: 'a.ts', action: 'create' },
          { path: '../../b', action: 'delete' },
        ],
      }),
    );
    const before = repo.bytes();
    await expect(applyProposal(repository, turn.turn_id)).rejects.toMatchObject({ code: 'proposal_unsafe' });
    expect(repo.bytes()).toEqual(before);
  });

  it('its files, and no others, can be committed', async () => {
    const { repository } = await accepted({}, { git: true, before: () => repo.write('src/app.ts', 'x\n') });
    repo.write('notes.txt', 'mine');
    repo.git('config', 'user.name', 't');
    repo.git('config', 'user.email', 't@example.org');
    const { commit } = await checkpointTurn(repository);
    expect(repo.git('show', '--name-only', '--format=%s', 'HEAD').trim().split('\n')).toEqual([
      'dev: Did the work',
      '',
      'src/app.ts',
    ]);
    expect((await repository.snapshot()).state.accepted_integration_ref).toBe(`git:${commit}`);
    await expect(checkpointTurn(repository)).rejects.toMatchObject({ code: 'checkpoint_failed' });
  });
});
