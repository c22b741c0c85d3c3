import { describe, expect, it } from 'vitest';
import { nodeHasher } from '../../../../platform/node-hasher.ts';
import { AtlasTester } from '../../atlases/files/test-atlas.ts';
import { compilePolicies } from '../../policies/rules/compile.ts';
import { resolutionDigest } from '../../resolution/rules/digest.ts';
import { actionOf, testAtlas } from '../../testing/manifest.ts';
import type { RecordedInput } from '../schema.ts';
import { diffTraces } from './diff.ts';
import { redecide, replayTrace } from './replay.ts';
import { reconstructState } from './state.ts';

const atlas = testAtlas({
  actions: [actionOf('a.get'), actionOf('a.drop')],
  policies: [
    { policy_id: 'all', type: 'allow' },
    { policy_id: 'no-drop', type: 'deny', actions: ['a.drop'] },
  ],
});

function recorded(parts: Partial<RecordedInput> = {}): RecordedInput {
  const base: RecordedInput = {
    inputs_version: '1',
    session_id: 's',
    request_id: 'r1',
    resolution_id: 'x',
    agent_id: 'agent',
    goal: 'g',
    risk_tier: 'low',
    context_hints: [],
    required_capabilities: [],
    context: {},
    scopes: [],
    decided_at: '2026-01-01T00:00:00.000000Z',
    atlases: [{ atlas_id: 'com.example.test', version: '1.0.0', digest: atlas.digest, mode: 'enforce' }],
    resolution_digest: '',
    ...parts,
  };
  const draft = redecide(compilePolicies([{ atlas, mode: 'enforce' }]), base);
  return { ...base, resolution_digest: parts.resolution_digest ?? resolutionDigest(nodeHasher, draft) };
}

const events = [
  { event_type: 'session.started', payload: { agent_id: 'agent', goal: 'g' } },
  { event_type: 'carp.request.received', payload: { request_id: 'r1', operation: 'resolve', goal: 'g' } },
  { event_type: 'policy.evaluated', payload: { policy_id: 'all', result: 'allow', action_id: 'a.get' } },
  { event_type: 'policy.evaluated', payload: { policy_id: 'no-drop', result: 'deny', action_id: 'a.drop' } },
  { event_type: 'carp.resolution.completed', payload: { resolution_id: 'x', decision_type: 'partial' } },
];
const known = (digest: string) => (digest === atlas.digest ? atlas : undefined);

describe('replay', () => {
  it('decides the recorded requests again and comes to the same', () => {
    expect(replayTrace(events, [recorded()], known, nodeHasher)).toMatchObject({
      deterministic: true,
      requests: [{ request_id: 'r1', status: 'identical' }],
    });
  });

  it('notices a trace whose evaluation is not what the Atlas says', () => {
    const forged = events.map((event) =>
      event.payload.action_id === 'a.drop'
        ? { ...event, payload: { ...event.payload, policy_id: 'all' } }
        : event,
    );
    expect(replayTrace(forged, [recorded()], known, nodeHasher).requests[0]).toMatchObject({
      status: 'different',
      changed: [{ action_id: 'a.drop', recorded: 'all', replayed: 'no-drop' }],
    });
    expect(
      replayTrace(events, [recorded({ resolution_digest: 'jcs-sha256:00' })], known, nodeHasher)
        .deterministic,
    ).toBe(false);
  });

  it('says what it lacks', () => {
    expect(replayTrace(events, [], known, nodeHasher).requests[0]?.status).toBe('no_input');
    expect(replayTrace(events, [recorded()], () => undefined, nodeHasher).requests[0]).toMatchObject({
      status: 'no_atlas',
      missing: [atlas.digest],
    });
  });
});

describe('state', () => {
  it('follows each call to its end', () => {
    const state = reconstructState([
      ...events,
      { event_type: 'action.requested', payload: { action_id: 'a.get' }, span_id: '1' },
      { event_type: 'action.requested', payload: { action_id: 'a.get' }, span_id: '2' },
      { event_type: 'action.approved', payload: { action_id: 'a.get' }, span_id: '1' },
      {
        event_type: 'action.denied',
        payload: { action_id: 'a.get', reason: 'rate_limit_exceeded' },
        span_id: '2',
      },
      { event_type: 'action.executed', payload: { action_id: 'a.get', execution_id: 'e' }, span_id: '1' },
      { event_type: 'session.ended', payload: { reason: 'completed' } },
    ]);
    expect(state.actions).toEqual([
      { action_id: 'a.get', status: 'executed', execution_id: 'e', detail: null },
      { action_id: 'a.get', status: 'denied', execution_id: null, detail: 'rate_limit_exceeded' },
    ]);
    expect(state).toMatchObject({ status: 'ended', end_reason: 'completed', agent_id: 'agent' });
  });
});

describe('a call that waits for a person', () => {
  const asked = { policy_id: 'ask', action_id: 'a.get', result: 'deny', effect: 'require_approval' };
  const call = (span: string) => [
    { event_type: 'action.requested', payload: { action_id: 'a.get', parameters_hash: 'h' }, span_id: span },
  ];
  const waiting = [...call('1'), { event_type: 'policy.evaluated', payload: asked, span_id: '1' }];

  it('reads as waiting, until it is made again or refused', () => {
    expect(reconstructState(waiting).actions).toMatchObject([{ status: 'waiting', detail: 'ask' }]);
    expect(
      reconstructState([
        ...waiting,
        ...call('2'),
        { event_type: 'policy.evaluated', payload: { ...asked, result: 'allow' }, span_id: '2' },
        { event_type: 'action.approved', payload: { action_id: 'a.get' }, span_id: '2' },
      ]).actions,
    ).toMatchObject([{ status: 'approved' }]);
    expect(
      reconstructState([
        ...waiting,
        {
          event_type: 'action.denied',
          payload: { action_id: 'a.get', reason: 'approval_rejected' },
          span_id: '3',
        },
      ]).actions,
    ).toMatchObject([{ status: 'denied', detail: 'approval_rejected' }]);
  });
});

describe('comparing traces', () => {
  it('sees one event between others, not a change of everything after it', () => {
    const added = { event_type: 'context.injected', payload: { block_id: 'b' } };
    expect(diffTraces(events, [...events.slice(0, 4), added, ...events.slice(4)]).differences).toEqual([
      { path: '/4', type: 'event_added', significance: 'major' },
    ]);
  });
});

describe('tests of an Atlas', () => {
  it('tell what failed and which policies they never reached', () => {
    const tester = new AtlasTester(compilePolicies([{ atlas, mode: 'enforce' }]));
    tester.case({ name: 'get', action_id: 'a.get', expect: 'allow', policy_id: 'all' });
    tester.case({ name: 'drop', action_id: 'a.drop', expect: 'allow' });
    expect(tester.report()).toMatchObject({
      results: [{ passed: true }, { passed: false, message: 'expected allow, got deny by no-drop' }],
      covered: 1,
    });
    const fresh = new AtlasTester(compilePolicies([{ atlas, mode: 'enforce' }]));
    fresh.trace('recorded', events.slice(0, 3));
    expect(fresh.report()).toMatchObject({ results: [{ passed: true }], covered: 0.5 });
  });
});
