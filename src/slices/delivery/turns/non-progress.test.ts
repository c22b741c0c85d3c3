import { afterEach, describe, expect, it } from 'vitest';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { resume } from '../runs/resume.ts';
import { startRun } from '../runs/start.ts';
import { SMALL_CONFIG, type TestRepository, testRepository, turnResult } from '../testing.ts';
import { accept } from './accept.ts';
import { assign } from './assign.ts';
import { dispatch } from './dispatch.ts';

const OBJECTION = { id: 'OBJ-001', severity: 'low', statement: 'Still not sure', status: 'raised' };
const DECISION = { id: 'DEC-001', category: 'process', statement: 'Wait', rationale: 'It is late' };
const IDLE: LooseRecord = { files_changed: [], artifact: { type: 'review' }, objections: [OBJECTION] };

describe('a run whose turns leave nothing behind', () => {
  let repo: TestRepository;
  afterEach(() => repo.remove());

  async function rig() {
    repo = testRepository({ ...SMALL_CONFIG, rules: { max_idle_turns: 2 } });
    const repository = repo.open();
    await startRun(repository);
    const take = async (changes: LooseRecord) => {
      const { turn } = await assign(repository, 'qa');
      await dispatch(repository, turn.turn_id);
      repo.stage(turn.turn_id, turnResult(turn, { ...IDLE, ...changes }));
      return (await accept(repository)).state;
    };
    return { repository, take };
  }

  it('stops for a person, who gives it as many turns again', async () => {
    const { repository, take } = await rig();
    expect((await take({})).status).toBe('active');
    expect(await take({})).toMatchObject({
      status: 'blocked',
      blocked_on: 'non_progress',
      blocked_reason: {
        category: 'non_progress',
        recovery: { recovery_action: 'baton run resume', detail: expect.stringContaining('last 2 turns') },
      },
    });
    expect(repo.rows('.agentxchain/events.jsonl').at(-1)).toMatchObject({
      event_type: 'run_blocked',
      payload: { blocked_on: 'non_progress' },
    });
    expect(repo.rows('.agentxchain/run-history.jsonl')).toMatchObject([{ status: 'blocked' }]);
    await resume(repository);
    expect((await take({})).status).toBe('active');
    expect((await take({})).blocked_on).toBe('non_progress');
  });

  it('goes on as long as now and then something is decided or changed', async () => {
    const { take } = await rig();
    await take({});
    expect((await take({ decisions: [DECISION] })).status).toBe('active');
    expect((await take({})).status).toBe('active');
    expect((await take({ files_changed: ['.planning/notes.md'] })).status).toBe('active');
    expect((await take({})).status).toBe('active');
  });
});
