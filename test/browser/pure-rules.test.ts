import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { nextCursor } from '../../web/src/api/next-cursor.ts';
import { endOfDay } from '../../web/src/context/end-of-day.ts';
import { layeredLayout } from '../../web/src/graph/layered-layout.ts';
import { boundDigest, boundText } from '../../web/src/inbox/bound-digest.ts';
import { changedFields, readJsonEdits } from '../../web/src/inbox/edits.ts';
import { refreshedBy } from '../../web/src/live/refreshed-by.ts';
import { sensitivityOf } from '../../web/src/memory/sensitivity.ts';
import { usesWords } from '../../web/src/memory/uses-words.ts';
import { totalOf, totalWords } from '../../web/src/numbers.ts';
import { evaluatedEffect } from '../../web/src/policies/evaluated-effect.ts';
import { conditionWords, failureWords, inOrder } from '../../web/src/policies/policy-words.ts';
import { thresholdWords } from '../../web/src/policies/threshold-words.ts';
import { readTrial } from '../../web/src/policies/trial.ts';
import { phaseSteps } from '../../web/src/runs/phases.ts';
import { waterfalls } from '../../web/src/traces/waterfall.ts';
import { didName, shortId, titleWords } from '../../web/src/ui/id-words.ts';

describe('what a decision is bound to', () => {
  it('is the same whatever the order of its members', async () => {
    const bound = {
      policy_id: 'p',
      action_ids: ['b', 'a'],
      parameters: { 9: true, 10: { z: 1.5, a: null } },
    };
    expect(boundText(bound)).toBe(
      '{"action_ids":["b","a"],"parameters":{"10":{"a":null,"z":1.5},"9":true},"policy_id":"p"}',
    );
    const hex = createHash('sha256').update(boundText(bound)).digest('hex');
    expect(await boundDigest(bound)).toBe(`jcs-sha256:${hex}`);
  });

  it('sends only what was changed, an emptied field too', () => {
    const before = { content: 'a', category: 'x' };
    expect(changedFields(before, { content: 'a', category: '' })).toEqual({ category: '' });
    expect(changedFields(before, before)).toEqual({});
  });

  it('refuses edits that are no JSON with a reason', () => {
    expect(readJsonEdits('{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(readJsonEdits('{')).toMatchObject({ ok: false, why: expect.stringMatching(/JSON/) });
  });
});

describe('what a rule decided', () => {
  it('tells what waits for a person from what one has approved', () => {
    expect(evaluatedEffect({ effect: 'require_approval', result: 'deny' })).toBe('require_approval');
    expect(evaluatedEffect({ effect: 'require_approval', result: 'allow' })).toBe('agreed');
    expect(evaluatedEffect({ effect: 'log_only', result: 'deny' })).toBe('log_only');
    expect(evaluatedEffect({ result: 'allow' })).toBe('allow');
  });
});

describe('what an agent did with its access', () => {
  it('tells readings from proposals', () => {
    const log = [{ action: 'propose' }, { action: 'read' }, { action: 'propose' }];
    expect(usesWords(log)).toBe('1 reading, 2 proposals');
    expect(usesWords([])).toBe('not used yet');
  });
});

describe('ids', () => {
  it('keep their prefix and both ends, and are shortened within titles', () => {
    expect(shortId('pkg_4044c9767c415c05c5a29c38b53b899d')).toBe('pkg_4044c976…3b899d');
    expect(shortId('short')).toBe('short');
    expect(titleWords('It (prop_e72322fd8da9742260a1d269cbd13dad)')).toBe('It (prop_e72322fd…d13dad)');
    expect(titleWords('did:a2p:agent:local:coach proposes it')).toBe('coach proposes it');
  });
});

describe('the next page of a list', () => {
  it('begins at the cursor of the link, and is none without one', () => {
    expect(nextCursor('</v1/x?limit=2&cursor=a%2Fb>; rel="next"')).toBe('a/b');
    expect(nextCursor('</v1/x?cursor=c>; rel="prev"')).toBeUndefined();
    expect(nextCursor(null)).toBeUndefined();
  });
});

describe('a day in the past', () => {
  const now = new Date(2026, 4, 17, 15, 30).getTime();

  it('is meant as the person’s calendar has it, up to its last instant; today is now', () => {
    expect(endOfDay('2026-05-17', now)).toBe(new Date(now).toISOString());
    expect(endOfDay('2026-05-16', now)).toBe(new Date(2026, 4, 16, 23, 59, 59, 999).toISOString());
    expect(endOfDay('2026-05-18', now)).toBe(new Date(2026, 4, 18, 23, 59, 59, 999).toISOString());
    expect(endOfDay('2026-12-31', now)).toBe(new Date(2026, 11, 31, 23, 59, 59, 999).toISOString());
  });
});

describe('a total', () => {
  it('is said as it was counted, and where counting stopped, that there are more', () => {
    expect([totalWords(10_000), totalWords({ count: 100_000, exact: false })]).toEqual([
      '10,000',
      '100,000+',
    ]);
    expect([totalOf(1, 'fact'), totalOf({ count: 2, exact: true }, 'fact')]).toEqual(['1 fact', '2 facts']);
  });
});

describe('what a policy measures by', () => {
  it.each([
    ['rate_limit', { max_calls: 2, window_seconds: 3600 }, ['at most 2 calls in 1 hour, for each agent']],
    [
      'rate_limit',
      { max_calls: 1, window_seconds: 90, scope: 'global' },
      ['at most 1 call in 90 seconds, for all together'],
    ],
    [
      'budget',
      {
        limit: '1000.50',
        unit: 'EUR',
        cost_field: 'amount',
        window_seconds: 86_400,
        refundable: true,
        scope: 'session',
      },
      [
        'at most 1000.50 EUR in 1 day, in each session',
        'each call costs its amount',
        'given back when the call fails',
      ],
    ],
    [
      'require_approval',
      { approvers: ['cfo', 'lead-*'], when: { amount: { gt: 1000 }, 'to.country': 'DE' } },
      [
        'when amount is more than 1,000 and to.country is DE',
        'decided by cfo or lead-*',
        'approved for one call',
      ],
    ],
    [
      'deny',
      { when: [{ path: { matches: '/etc/*' } }, { force: { exists: true } }], reason: 'not here' },
      ['when path matches /etc/*, or force is given'],
    ],
    ['scope', { required_scopes: ['a', 'b'] }, ['needs the scopes a, b']],
    ['allow', { something_new: { deep: [1] } }, ['something new: {"deep":[1]}']],
    ['allow', undefined, []],
  ] as const)('is said in words: %s %j', (type, parameters, words) => {
    expect(thresholdWords(type, parameters)).toEqual(words);
  });
});

describe('an event', () => {
  it('makes stale what it is about, and nothing where no page shows it', () => {
    expect(refreshedBy('package.deposited')).toEqual(['context']);
    expect(refreshedBy('turn.accepted')).toEqual(['runs']);
    expect(refreshedBy('login.started')).toEqual([]);
  });
});

describe('a layered graph', () => {
  const size = { width: 10, height: 10, gapX: 5, gapY: 5 };
  const layout = (ids: string[], ...edges: string[]) =>
    layeredLayout(
      ids,
      edges.map((edge) => ({ from: edge[0]!, to: edge[1]! })),
      size,
    );

  it('puts a node behind all that lead to it', () => {
    const { places, width, height } = layout(['a', 'b', 'c'], 'ab', 'bc', 'ac');
    expect(['a', 'b', 'c'].map((id) => places.get(id)?.x)).toEqual([0, 15, 30]);
    expect([width, height]).toEqual([40, 10]);
  });

  it('gives no two nodes one place, and uncrosses what need not cross', () => {
    const { places } = layout(['a', 'b', 'x', 'y'], 'ay', 'bx');
    const at = (id: string) => places.get(id)!;
    expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(4);
    expect(at('a').y < at('b').y).toBe(at('y').y < at('x').y);
  });

  it('draws circles, loops and edges to nowhere without going round for ever', () => {
    const { places } = layout(['a', 'b'], 'ab', 'ba', 'aa', 'az');
    expect([...places.keys()].sort()).toEqual(['a', 'b']);
    expect(layout([]).height).toBe(0);
  });
});

describe('a policy in words', () => {
  it('says why it did not count', () => {
    expect(failureWords('conditions.agents')).toBe('It covers other agents.');
    expect(failureWords('conditions.context_matches.region')).toContain('“region”');
    expect(failureWords('parameters.when amount < 50')).toContain('amount < 50');
    expect(failureWords('something.new')).toBe('something.new');
  });

  it('says when it counts', () => {
    expect(
      conditionWords({
        agents: ['a-*', 'b'],
        context_matches: { region: 'eu' },
        time_window: { start: '22:00:00', end: '06:00:00', days: ['sat'], timezone: 'UTC' },
      }),
    ).toEqual(['agents: a-*, b', 'region = eu', 'time: 22:00:00–06:00:00 on sat (UTC)']);
    expect(conditionWords(undefined)).toEqual([]);
  });
});

describe('policies', () => {
  it('stand in the order in which they are asked', () => {
    const of = (type: string, priority?: number) => ({ type, ...(priority !== undefined && { priority }) });
    expect(inOrder([of('allow', 9), of('require_approval'), of('deny'), of('deny', 5)])).toEqual([
      of('deny', 5),
      of('deny'),
      of('require_approval'),
      of('allow', 9),
    ]);
  });
});

describe('the phases of a run', () => {
  it('are behind, now, or ahead', () => {
    const states = (current: string, status: string) =>
      phaseSteps(['plan', 'build', 'check'], current, status).map(({ state }) => state);
    expect(states('build', 'active')).toEqual(['done', 'now', 'ahead']);
    expect(states('check', 'completed')).toEqual(['done', 'done', 'done']);
  });
});

describe('a trial', () => {
  const form = (fields: Record<string, string>) => ({ get: (name: string) => fields[name] ?? null });

  it('asks only for what was filled in', () => {
    expect(readTrial(form({ agent_id: ' a ', risk_tier: '', parameters: '{"n":1}' }))).toEqual({
      agent_id: 'a',
      parameters: { n: 1 },
    });
  });

  it.each(['[1]', 'nonsense', '3'])('refuses parameters that are no object: %s', (parameters) => {
    expect(() => readTrial(form({ agent_id: 'a', parameters }))).toThrow(/must be a JSON object/);
  });
});

describe('how sensitive a memory is', () => {
  const categories = [
    { category: 'a2p:health', sensitivity: 'sensitive' },
    { category: 'a2p:health.conditions', sensitivity: 'restricted' },
  ];

  it('is what it says, else what the nearest category says, else standard', () => {
    expect(sensitivityOf({ sensitivity: 'public', category: 'a2p:health' }, categories)).toBe('public');
    expect(sensitivityOf({ category: 'a2p:health.conditions.asthma' }, categories)).toBe('restricted');
    expect(sensitivityOf({ category: 'a2p:healthy' }, categories)).toBe('standard');
  });

  it('names agents of this house by their own name', () => {
    expect([didName('did:a2p:agent:local:coach'), didName('did:a2p:agent:acme:bot'), didName('x')]).toEqual([
      'coach',
      'acme:bot',
      'x',
    ]);
  });
});

describe('a waterfall', () => {
  const span = (id: string, parent: string | null, from: number, ms: number, trace = 't') => ({
    span_id: id,
    parent_span_id: parent,
    trace_id: trace,
    start: new Date(1_000_000 + from).toISOString(),
    end: new Date(1_000_000 + from + ms).toISOString(),
    duration_ms: ms,
  });
  const rows = (...spans: ReturnType<typeof span>[]) =>
    waterfalls(spans)[0]?.rows.map(({ span: { span_id }, depth }) => `${'-'.repeat(depth)}${span_id}`);

  it('puts children below their parent, in order of time', () => {
    expect(
      rows(span('late', 'root', 60, 10), span('root', null, 0, 100), span('early', 'root', 10, 20)),
    ).toEqual(['root', '-early', '-late']);
  });

  it('says where a span begins and how long it takes as a share of the whole', () => {
    const [trace] = waterfalls([span('root', null, 0, 200), span('half', 'root', 100, 50)]);
    expect(trace?.duration).toBe(200);
    expect(trace?.rows.map(({ from, share }) => [from, share])).toEqual([
      [0, 1],
      [0.5, 0.25],
    ]);
  });

  it('shows every span once, also those whose parents are unknown or each other', () => {
    expect(rows(span('a', 'b', 0, 5), span('b', 'a', 1, 5), span('orphan', 'gone', 2, 5))?.sort()).toEqual([
      '-b',
      'a',
      'orphan',
    ]);
  });

  it('puts the latest trace first', () => {
    const found = waterfalls([span('x', null, 0, 1, 'old'), span('y', null, 50, 1, 'new')]);
    expect(found.map(({ traceId }) => traceId)).toEqual(['new', 'old']);
  });
});
