import { afterEach, describe, expect, it } from 'vitest';
import { nodeHasher } from '../../../platform/index.ts';
import { fakeClock, seededRandom } from '../../../platform/testing.ts';
import { openRepository } from '../repository/repository.ts';
import { SMALL_CONFIG, type TestRepository, testRepository } from '../testing.ts';
import { assign } from '../turns/assign.ts';
import { reject } from '../turns/reject.ts';
import { enforceLimits, resume } from './resume.ts';
import { startRun } from './start.ts';

describe('a run that takes too long', () => {
  let repo: TestRepository;
  afterEach(() => repo.remove());

  async function late(timeouts: object, minutes: number, withTurn = false) {
    repo = testRepository({ ...SMALL_CONFIG, timeouts });
    const clock = fakeClock('2026-03-01T09:00:00Z');
    const repository = openRepository({
      keepIn: `${repo.root}.keep`,
      root: repo.root,
      clock,
      random: seededRandom(2),
      hasher: nodeHasher,
    });
    await startRun(repository);
    if (withTurn) await assign(repository);
    clock.advance({ seconds: minutes * 60 });
    return { repository, stopped: await enforceLimits(repository) };
  }

  it('stops at the deadline of a turn, and goes on once the turn is sent back', async () => {
    const { repository, stopped } = await late({ per_turn_minutes: 10 }, 11, true);
    expect(stopped).toMatchObject({
      state: { blocked_on: 'timeout:turn' },
      next: expect.stringMatching(/^baton run reject --turn turn_/),
    });
    const again = await reject(repository, { reason: 'timeout' });
    expect(again).toMatchObject({ state: { status: 'active', blocked_on: null }, next: 'baton run step' });
    expect(await enforceLimits(repository)).toBeUndefined();
  });

  it('stops when its phase is over time, and has that time again once it is resumed', async () => {
    const { repository, stopped } = await late({ per_phase_minutes: 30 }, 31);
    expect(stopped).toMatchObject({ state: { blocked_on: 'timeout:phase' }, next: 'baton run resume' });
    await resume(repository);
    expect(await enforceLimits(repository)).toBeUndefined();
  });

  it('is not resumed past the time of the whole run: that has to be raised', async () => {
    const { repository, stopped } = await late({ per_run_minutes: 60 }, 61);
    expect(stopped).toMatchObject({ state: { blocked_on: 'timeout:run' } });
    const before = repo.bytes();
    await expect(resume(repository)).rejects.toMatchObject({
      details: { field: 'timeouts.per_run_minutes' },
    });
    expect(repo.bytes()).toEqual(before);
    repo.write('agentxchain.json', JSON.stringify({ ...SMALL_CONFIG, timeouts: { per_run_minutes: 120 } }));
    expect((await resume(repository)).state.status).toBe('active');
  });
});
