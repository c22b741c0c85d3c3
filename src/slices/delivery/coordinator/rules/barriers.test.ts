import { describe, expect, it } from 'vitest';
import type { Barrier, BarrierType, Projection } from '../state.ts';
import { evaluateBarrier } from './barriers.ts';

const barrier = (type: BarrierType, changes: Partial<Barrier> = {}): Barrier => ({
  type,
  workstream_id: 'api',
  status: 'pending',
  required_repos: ['web', 'server'],
  satisfied_repos: [],
  ...changes,
});
const accepted = (repo: string, decisions: readonly unknown[] = [], workstream = 'api'): Projection => ({
  type: 'acceptance_projection',
  projection_ref: `${repo}-1`,
  workstream_id: workstream,
  repo_id: repo,
  repo_turn_id: 'turn_1',
  files_changed: [],
  decisions,
});
const statusAfter = (
  one: Barrier,
  projections: readonly Projection[],
  entry: string | undefined = 'server',
) => evaluateBarrier(one, entry, projections).status;

describe('a barrier', () => {
  it('of all repositories waits for each of them', () => {
    const all = barrier('all_repos_accepted');
    expect(statusAfter(all, [])).toBe('pending');
    expect(statusAfter(all, [accepted('web', [], 'other')])).toBe('pending');
    expect(statusAfter(all, [accepted('web')])).toBe('partially_satisfied');
    expect(statusAfter(all, [accepted('web'), accepted('server')])).toBe('satisfied');
  });

  it('of a sequence waits for the repository that comes first', () => {
    const sequence = barrier('ordered_repo_sequence');
    expect(statusAfter(sequence, [accepted('web')])).toBe('partially_satisfied');
    expect(statusAfter(sequence, [accepted('server')])).toBe('satisfied');
    expect(evaluateBarrier(sequence, undefined, [accepted('server')]).status).toBe('partially_satisfied');
    expect(evaluateBarrier(sequence, undefined, []).status).toBe('pending');
  });

  it.each(['interface_alignment', 'named_decisions'] as const)(
    'of %s waits for the decisions named',
    (type) => {
      const named = barrier(type, { required_decision_ids_by_repo: { web: ['DEC-001'] } });
      expect(statusAfter(named, [accepted('web'), accepted('server')])).toBe('partially_satisfied');
      expect(statusAfter(named, [accepted('web', ['DEC-001'])])).toBe('partially_satisfied');
      expect(statusAfter(named, [accepted('web', ['DEC-001']), accepted('server')])).toBe('satisfied');
      expect(statusAfter(named, [accepted('web', [{ id: 'DEC-001' }]), accepted('server')])).toBe(
        'satisfied',
      );
    },
  );

  it('of a person is never satisfied by repositories', () => {
    expect(statusAfter(barrier('shared_human_gate'), [accepted('web'), accepted('server')])).toBe('pending');
  });

  it('stays satisfied', () => {
    expect(statusAfter(barrier('all_repos_accepted', { status: 'satisfied' }), [])).toBe('satisfied');
  });
});
