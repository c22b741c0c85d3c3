import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import { relayMigrations } from '../migrations.ts';
import {
  countSteps,
  endReplay,
  insertReplay,
  keepRunning,
  leaveUnknown,
  pruneReplays,
  type ReplayRow,
  selectAbandoned,
  selectReplay,
  selectReplayedIn,
  selectSteps,
  updateStep,
} from './store.ts';

const replay: ReplayRow = {
  ...{
    replay_id: 'r1',
    project_id: 'p',
    source_kind: 'session',
    source_id: 's',
    state: 'running',
    why: null,
  },
  ...{ made_by: 'human:ana', created_us: 10, seen_us: 10, ended_us: null },
};
const step = (number: number) => ({
  ...({ number, state: 'waiting', reason: null, agent: 'a', peer_id: 'b', exact: 1, streams: 0 } as const),
  ...{ trace_id: `t${number}`, span_id: `s${number}`, context_id: null },
});

describeOnEachEngine('replays', (open) => {
  it('end once, and what waits then is never sent', async () => {
    const db = await open(relayMigrations);
    await db.write((uow) => insertReplay(uow, replay, [step(1), step(2), step(3)]));
    await db.write((uow) =>
      updateStep(uow, { replay_id: 'r1', number: 1 }, { state: 'sending', new_trace_id: 'n1' }),
    );
    expect(await db.write((uow) => keepRunning(uow, 'r1', 20))).toBe(true);
    expect(await db.read((reader) => selectAbandoned(reader, 20))).toEqual([]);
    expect(await db.read((reader) => selectAbandoned(reader, 21))).toEqual(['r1']);
    await db.write((uow) => leaveUnknown(uow, 'r1'));
    expect(await db.write((uow) => endReplay(uow, 'r1', 'interrupted', 'It ended.', 30))).toBe(true);
    expect(await db.write((uow) => endReplay(uow, 'r1', 'ended', null, 40))).toBe(false);
    expect(await db.write((uow) => keepRunning(uow, 'r1', 50))).toBe(false);
    expect(await db.read((reader) => selectReplay(reader, 'p', 'r1'))).toMatchObject({
      ...{ state: 'interrupted', why: 'It ended.', ended_us: 30 },
    });
    const steps = await db.read((reader) => selectSteps(reader, 'r1', { after: 0, limit: 10 }));
    expect(steps.map(({ state, reason }) => [state, reason])).toEqual([
      ['unknown', 'interrupted'],
      ['skipped', 'stopped'],
      ['skipped', 'stopped'],
    ]);
    const counts = await db.read((reader) => countSteps(reader, ['r1']));
    expect(
      Object.values(counts.get('r1') ?? {})
        .map(Number)
        .slice(1),
    ).toEqual([3, 1, 2]);
    expect(await db.read((reader) => selectReplayedIn(reader, 'p', 'n1'))).toMatchObject({ span_id: 's1' });
    expect(await db.read((reader) => selectReplayedIn(reader, 'other', 'n1'))).toBeUndefined();
    await db.write((uow) => pruneReplays(uow, 31));
    expect(await db.read((reader) => selectReplay(reader, 'p', 'r1'))).toBeUndefined();
    expect(await db.read((reader) => selectSteps(reader, 'r1', { after: 0, limit: 10 }))).toEqual([]);
  });

  it('cannot say that a message was sent without saying as what', async () => {
    const db = await open(relayMigrations);
    await db.write((uow) => insertReplay(uow, replay, [step(1)]));
    const change = (to: object) => db.write((uow) => updateStep(uow, { replay_id: 'r1', number: 1 }, to));
    await expect(change({ state: 'sent' })).rejects.toThrow();
    await expect(change({ state: 'skipped' })).rejects.toThrow();
    await expect(change({ reason: 'stopped' })).rejects.toThrow();
    await expect(
      db.write((uow) => insertReplay(uow, { ...replay, replay_id: 'r2', state: 'ended' }, [])),
    ).rejects.toThrow();
  });
});
