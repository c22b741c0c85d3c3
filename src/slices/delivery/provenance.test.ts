import { describe, expect, it } from 'vitest';
import { deliveryProvenance } from './provenance.ts';

const told = (event_type: string, more: object) =>
  deliveryProvenance.account({
    event_type,
    sessionId: 's',
    span_id: 'x',
    payload: { repository_id: 'shop', run_id: 'run_1', phase: 'build', turn_id: null, ...more },
  });

describe('the provenance of runs', () => {
  it('leads from a turn to its run, by the name that the inbox has for it too', () => {
    expect(told('turn.accepted', { turn_id: 'turn_9' })).toEqual({
      words: 'turn accepted in build',
      about: [{ kind: 'turn', id: 'turn_9' }],
      from: [{ as: 'run', kind: 'run', id: 'shop/run_1' }],
    });
    expect(told('phase.entered', {})?.about).toEqual([
      { kind: 'run', id: 'shop/run_1' },
      { kind: 'run', id: 'run_1' },
    ]);
  });

  it('says nothing of the events of others', () => {
    expect(told('package.deposited', { repository_id: null })).toBeUndefined();
  });
});
