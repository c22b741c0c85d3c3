import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { nextCursor } from '../../web/src/api/next-cursor.ts';
import { stacked } from '../../web/src/charts/stack.ts';
import { endOfDay } from '../../web/src/context/end-of-day.ts';
import { timelineOf } from '../../web/src/context/timeline.ts';
import { layoutOf } from '../../web/src/graph/layout.ts';
import { deadlineOf, deadlineWords } from '../../web/src/home/deadline.ts';
import { lanesOf, liveAgents } from '../../web/src/home/lanes.ts';
import { parseSeen } from '../../web/src/home/seen.ts';
import { boundDigest, boundText } from '../../web/src/inbox/bound-digest.ts';
import { changedFields, readJsonEdits } from '../../web/src/inbox/edits.ts';
import { refreshedBy } from '../../web/src/live/refreshed-by.ts';
import { sensitivityOf } from '../../web/src/memory/sensitivity.ts';
import { usesWords } from '../../web/src/memory/uses-words.ts';
import { totalOf, totalWords } from '../../web/src/numbers.ts';
import { evaluatedEffect } from '../../web/src/policies/evaluated-effect.ts';
import { conditionWords, failureWords, inOrder } from '../../web/src/policies/policy-words.ts';
import { compareRules, readDraft, ruleSentence } from '../../web/src/policies/rule-sentence.ts';
import { thresholdWords } from '../../web/src/policies/threshold-words.ts';
import { readTrial } from '../../web/src/policies/trial.ts';
import { phaseSteps } from '../../web/src/runs/phases.ts';
import { runLanes } from '../../web/src/runs/run-lanes.ts';
import { afterKey } from '../../web/src/shell/palette-state.ts';
import { didName, shortId, titleWords } from '../../web/src/ui/id-words.ts';
import { markdownBlocks, markdownInline } from '../../web/src/ui/markdown-blocks.ts';
import { forth, wayTo } from '../../web/src/why/way-to.ts';

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
    expect(titleWords('It (prop_e72322fd8da9742260a1d269cbd13dad)')).toBe('It');
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

describe('the layout of a graph', () => {
  const layout = (ids: string[], direction: 'LR' | 'TB', ...edges: string[]) =>
    layoutOf(
      ids.map((id) => ({ id, width: 10, height: 10 })),
      edges.map((edge) => ({ from: edge[0]!, to: edge[1]! })),
      direction,
    );

  it('puts a node behind all that lead to it', () => {
    const { places } = layout(['a', 'b', 'c'], 'LR', 'ab', 'bc', 'ac');
    const x = (id: string) => places.get(id)?.x ?? Number.NaN;
    expect(x('a')).toBeLessThan(x('b'));
    expect(x('b')).toBeLessThan(x('c'));
    const down = layout(['a', 'b'], 'TB', 'ab').places;
    expect(down.get('a')?.y).toBeLessThan(down.get('b')?.y ?? 0);
  });

  it('draws circles, loops and edges to nowhere, and a graph of nothing', () => {
    const { places } = layout(['a', 'b'], 'LR', 'ab', 'ba', 'aa', 'az');
    expect([...places.keys()].sort()).toEqual(['a', 'b']);
    expect(layout([], 'TB')).toMatchObject({ width: 0, height: 0 });
  });
});

describe('why', () => {
  const link = (from: number, to: number) => ({ from, to, as: 'cites' });

  it('marks one shortest way from the question to what is chosen', () => {
    const links = [link(0, 1), link(1, 2), link(0, 2), link(2, 3)];
    expect([...wayTo(links, 3)].sort()).toEqual(['0 2', '2 3']);
    expect([...wayTo(links, 0), ...wayTo(links, 9)]).toEqual([]);
  });

  it('draws a circle of two once, from what was met first', () => {
    expect(forth([link(0, 1), link(1, 0), link(2, 1)])).toEqual([link(0, 1), link(2, 1)]);
  });
});

describe('a chart', () => {
  it('stacks each series on those before it', () => {
    expect(stacked([[1, 0, 2], [3, 4, 0], []])).toEqual([[1, 0, 2], [4, 4, 2], []]);
  });
});

describe('what was seen', () => {
  it('is read as it was kept, and anything else is nothing', () => {
    expect(parseSeen('{"seq":4,"at":"2026-01-01T00:00:00Z"}')?.seq).toBe(4);
    expect([parseSeen(null), parseSeen('4'), parseSeen('{'), parseSeen('{"seq":"4"}')]).toEqual(
      Array(4).fill(undefined),
    );
  });
});

describe('time that is left', () => {
  const noon = new Date(2026, 2, 4, 12).getTime();
  const inMinutes = (minutes: number) => new Date(noon + minutes * 60_000).toISOString();

  it('is an hour, today, the next day or later', () => {
    expect([30, 120, 13 * 60, 40 * 60].map((minutes) => deadlineOf(inMinutes(minutes), noon))).toEqual([
      'hour',
      'today',
      'tomorrow',
      'later',
    ]);
    expect([deadlineOf(null, noon), deadlineOf('soon', noon)]).toEqual(['later', 'later']);
  });

  it('is said in minutes while it presses, then by the clock, then by the day', () => {
    expect([0.5, 45, 120, -1].map((minutes) => deadlineWords(inMinutes(minutes), noon))).toEqual([
      '1 min',
      '45 min',
      '14:00',
      'expired',
    ]);
    expect(deadlineWords(inMinutes(13 * 60), noon)).toBe('Thu 01:00');
    expect(deadlineWords(null, noon)).toBe('');
  });
});

describe('who is at work', () => {
  const now = Date.parse('2026-03-04T12:00:00Z');
  const item = (actor_id: string, minutesAgo: number, more = {}) => ({
    session_id: `${actor_id}-session`,
    actor_id,
    actor_type: 'agent' as const,
    callsign: 'x',
    goal: 'g',
    active: true,
    last_at: new Date(now - minutesAgo * 60_000).toISOString(),
    total: 1,
    events: [1],
    allowed: [0],
    asked: [0],
    denied: [0],
    packages: [0],
    ...more,
  });
  const asked = (id: string, minutesAgo: number) =>
    ({
      title: 'May I?',
      requested_for: { id, type: 'agent' },
      opened_at: new Date(now - minutesAgo * 60_000).toISOString(),
    }) as Parameters<typeof lanesOf>[2][number];

  it('works, waits, is silent or has ended', () => {
    const items = [item('a', 1), item('b', 5), item('c', 20), item('d', 1, { active: false })];
    const lanes = lanesOf(items, [], [asked('b', 5), asked('a', 50)], now);
    expect(lanes.map(({ state, what }) => `${state} ${what}`)).toEqual([
      'working g',
      'waits May I?',
      'quiet g',
      'ended g',
    ]);
    expect(liveAgents(lanes, now)).toBe(3);
  });

  it('leaves out people, and what an agent did outside of its sessions', () => {
    const outside = { callsign: null, goal: null };
    const items = [
      item('a', 1),
      item('a', 2, outside),
      item('b', 3, outside),
      item('p', 1, { actor_type: 'human' }),
      item('server', 1, { ...outside, actor_type: 'script' }),
    ];
    expect(lanesOf(items, [], [], now).map(({ item: { actor_id, goal } }) => `${actor_id} ${goal}`)).toEqual([
      'a g',
      'b null',
    ]);
  });
});

describe('the palette', () => {
  it('keeps what is typed before it is there', () => {
    const closed = { open: true, typed: '', entered: false };
    const typed = ['h', 'x', 'Backspace', 'i', 'Shift', 'ArrowDown'].reduce(
      (state, key) => afterKey(state, key) ?? state,
      closed,
    );
    expect(typed).toEqual({ open: true, typed: 'hi', entered: false });
    expect(afterKey(typed, 'Enter')).toEqual({ ...typed, entered: true });
    expect(afterKey(typed, 'Escape')?.open).toBe(false);
  });
});

describe('what agents write to each other', () => {
  it('has paragraphs, headings, lists and code', () => {
    expect(markdownBlocks('# One\ntwo\n\n- a\n- b\n1. c\n```ts\n- x\n```')).toEqual([
      { kind: 'heading', text: 'One' },
      { kind: 'text', text: 'two' },
      { kind: 'list', ordered: false, items: ['a', 'b'] },
      { kind: 'list', ordered: true, items: ['c'] },
      { kind: 'code', text: '- x' },
    ]);
    expect(markdownBlocks('```\nopen')).toEqual([{ kind: 'code', text: 'open' }]);
  });

  it('loses no letter between its marks', () => {
    const text = 'a `b*c` **d** *e* 2*3*4 <img src=x onerror=y> **';
    expect(
      markdownInline(text)
        .map(
          ({ kind, text: part }) =>
            ({ plain: part, code: `\`${part}\``, strong: `**${part}**`, em: `*${part}*` })[kind],
        )
        .join(''),
    ).toBe(text);
    expect(markdownInline(text).map(({ kind }) => kind)).toEqual([
      'plain',
      'code',
      'plain',
      'strong',
      'plain',
      'em',
      'plain',
    ]);
  });
});

describe('facts over time', () => {
  const now = Date.parse('2026-03-10T00:00:00Z');
  const fact = (predicate: string, from: string, to: string | null, written = from) =>
    ({
      fact_id: `${predicate} ${from}`,
      predicate,
      value: 'x',
      valid_from: `2026-03-${from}T00:00:00Z`,
      valid_to: to && `2026-03-${to}T00:00:00Z`,
      created_at: `2026-03-${written}T00:00:00Z`,
    }) as Parameters<typeof timelineOf>[0][number];

  it('are a lane for each predicate, from the first value until now', () => {
    const { lanes } = timelineOf([fact('b', '05', null), fact('a', '08', null), fact('a', '01', '08')], now);
    expect(lanes.map(({ predicate, intervals }) => [predicate, intervals.length])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    const [first, second] = lanes[0]!.intervals;
    expect(first!.to).toBe(second!.from);
    expect(second!.to).toBe(1);
    expect(first!.from).toBeGreaterThan(0);
    expect(first!.written).toBe(first!.from);
  });

  it('show from when to when something was true and not yet written', () => {
    const [late] = timelineOf([fact('a', '01', null, '04')], now).lanes[0]!.intervals;
    expect(late!.written).toBeCloseTo(late!.from + (3 / 9) * (1 - late!.from), 5);
  });
});

describe('a run over time', () => {
  const turn = (turn_id: string, role: string, phase: string, minute: number, duration_ms?: number) =>
    ({
      turn_id,
      role,
      phase,
      accepted_at: new Date(Date.UTC(2026, 2, 4, 12, minute)).toISOString(),
      duration_ms,
    }) as Parameters<typeof runLanes>[0][number];

  it('is a lane for each role, in phases that follow each other', () => {
    const lanes = runLanes(
      [
        turn('c', 'dev', 'build', 20, 300_000),
        turn('a', 'pm', 'plan', 5, 300_000),
        turn('b', 'dev', 'plan', 10, 300_000),
      ],
      4,
    );
    expect(lanes?.phases.map(({ phase, from, to }) => [phase, from, to])).toEqual([
      ['plan', 0, 0.5],
      ['build', 0.5, 1],
    ]);
    expect(
      lanes?.roles.map(({ role, bars }) => [role, bars.map(({ number, from, to }) => [number, from, to])]),
    ).toEqual([
      ['pm', [[5, 0, 0.25]]],
      [
        'dev',
        [
          [6, 0.25, 0.5],
          [7, 0.75, 1],
        ],
      ],
    ]);
  });

  it('is nothing without an instant', () => {
    expect(runLanes([{ ...turn('a', 'pm', 'plan', 1), accepted_at: '' }], 0)).toBeUndefined();
  });
});

describe('a rule', () => {
  const rule = (type: string, more = {}) =>
    ({ policy_id: type, type, actions: ['order.refund'], ...more }) as never;

  it('is a sentence', () => {
    expect([
      ruleSentence(rule('deny')).words,
      ruleSentence(
        rule('require_approval', {
          parameters: { approvers: ['ada', 'ben'], when: { amount: { gt: 100 } } },
        }),
      ).words,
      ruleSentence(rule('allow', { conditions: { agents: ['bot-*'] } })).words,
      ruleSentence(rule('rate_limit', { parameters: { max_calls: 2, window_seconds: 60 } })),
    ]).toEqual([
      'Nobody may run order.refund',
      'ada or ben agrees to order.refund when amount is more than 100; approved for one call',
      'bot-* may run order.refund',
      { verb: 'Limit', words: 'order.refund, at most 2 calls in 1 minute, for each agent' },
    ]);
  });

  it('of a draft is the same, new, changed or removed', () => {
    const changes = compareRules(
      [rule('deny'), rule('allow', { priority: 2 }), rule('scope')],
      [
        { actions: ['order.refund'], type: 'deny', policy_id: 'deny' } as never,
        rule('allow', { priority: 1 }),
        rule('budget'),
      ],
    );
    expect(changes.map(({ policy, change }) => `${policy.policy_id} ${change}`)).toEqual([
      'deny same',
      'allow changed',
      'scope new',
      'budget removed',
    ]);
  });

  it('is read from whatever is typed', () => {
    expect(readDraft('{"policies":[{"policy_id":"a"},{},4]}')).toMatchObject({
      ok: true,
      policies: [{ policy_id: 'a' }],
    });
    expect([readDraft('{'), readDraft('[]'), readDraft('')].map(({ ok }) => ok)).toEqual([
      false,
      false,
      false,
    ]);
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
