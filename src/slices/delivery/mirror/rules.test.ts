import { describe, expect, it } from 'vitest';
import type { RepoDecision, RunEvent } from '../records.ts';
import { factChanges } from './rules.ts';
import type { AttachedRepository } from './store.ts';

const repository = { repositoryId: 'repo_1', projectId: 'p1' } as AttachedRepository;
const accepted = { event_type: 'turn_accepted', turn: { turn_id: 'turn_2', role_id: 'dev' } } as RunEvent;
const decision = (changes: Partial<RepoDecision>) =>
  ({
    id: 'DEC-002',
    run_id: 'run_1',
    turn_id: 'turn_2',
    statement: 'Two stores',
    rationale: '',
    overrides: null,
    status: 'active',
    ...changes,
  }) as RepoDecision;

describe('the facts of a turn', () => {
  it('end what it overrides before they say what holds now', () => {
    expect(factChanges(repository, accepted, [decision({ overrides: 'DEC-001' })])).toEqual([
      { retract: { subject: 'decision/repo_1/DEC-001', predicate: 'states' } },
      {
        assert: {
          subject: 'decision/repo_1/DEC-002',
          predicate: 'states',
          value: 'Two stores',
          source_package_id: 'repo_1.turn_2',
          tags: ['decision', 'run_1'],
        },
      },
    ]);
  });

  it('leave out decisions of other turns and those that are overridden', () => {
    const others = [decision({ turn_id: 'turn_1' }), decision({ status: 'overridden' })];
    expect(factChanges(repository, accepted, others)).toEqual([]);
  });
});
