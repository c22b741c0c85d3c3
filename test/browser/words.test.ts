import { describe, expect, it } from 'vitest';
import { eventWords } from '../../web/src/journal/event-words.ts';
import { counted, seconds } from '../../web/src/numbers.ts';
import { jsonTokens } from '../../web/src/ui/json-tokens.ts';
import { duration, relativeTime } from '../../web/src/ui/time-words.ts';

const NOW = Date.parse('2026-03-04T12:00:00Z');
const at = (seconds: number) => relativeTime(NOW + seconds * 1000, NOW);

describe('ages', () => {
  it('are said in the largest unit that fits, before and after now', () => {
    expect([at(0), at(-12), at(-60), at(-3 * 3600), at(-2 * 86_400)]).toEqual([
      'just now',
      '12 s ago',
      '1 min ago',
      '3 h ago',
      '2 d ago',
    ]);
    expect(at(600)).toBe('in 10 min');
  });

  it('are dates beyond a month, and unknown where the instant is none', () => {
    expect(at(-40 * 86_400)).toBe('2026-01-23');
    expect(relativeTime(Number.NaN, NOW)).toBe('unknown');
  });

  it('never round up into the next unit', () => {
    expect([duration(59_400), duration(3_599_000), duration(86_399_000)]).toEqual(['59 s', '59 min', '23 h']);
  });
});

describe('an event in words', () => {
  it('names what it is about before anything else', () => {
    expect(
      eventWords('inbox.opened', { digest: 'x', expires_at: 'y', kind: 'review', requested_by: 'bot' }),
    ).toEqual({
      family: 'inbox',
      title: 'Decision requested',
      gist: 'by bot · review',
    });
  });

  it('says first which action was decided about and by which rule, and who proposes about whom', () => {
    const decided = {
      policy_id: 'money',
      result: 'deny',
      action_id: 'order.refund',
      effect: 'require_approval',
    };
    expect(eventWords('policy.evaluated', decided).gist).toBe('order.refund · rule money · require approval');
    expect(eventWords('action.requested', { action_id: 'order.refund', parameters_hash: 'x' }).gist).toBe(
      'order.refund',
    );
    const proposed = { agentDid: 'did:a2p:agent:local:coach', profile: 'did:a2p:user:acme:ada' };
    expect(eventWords('memory.proposed', proposed).gist).toBe('by coach · about acme:ada');
  });

  it('reads a type that it does not know as a sentence', () => {
    expect(eventWords('package.sent_to_review', { size: 3, package_id: 'p' })).toEqual({
      family: 'package',
      title: 'Package sent to review',
      gist: 'size 3',
    });
  });

  it('says when the content is gone, and shortens what is long', () => {
    expect(eventWords('fact.asserted', null).gist).toBe('content dropped by retention');
    expect(eventWords('fact.asserted', { name: 'x'.repeat(200) }).gist).toHaveLength(48);
  });
});

describe('counts', () => {
  it('go with the right form of the noun', () => {
    expect([counted(1, 'event'), counted(1234, 'event'), counted(2, 'hash', 'hashes')]).toEqual([
      '1 event',
      '1,234 events',
      '2 hashes',
    ]);
    expect([seconds(0.2), seconds(40), seconds(1234)]).toEqual(['1 ms', '40 ms', '1.2 s']);
  });
});

describe('JSON to be coloured', () => {
  it('is the same text in pieces, each of its kind', () => {
    const value = { 'a "key": 1': [1.5, -2, true, null, 'text \\ "quoted" 12'], empty: {} };
    const tokens = jsonTokens(value);
    expect(tokens.map(({ text }) => text).join('')).toBe(JSON.stringify(value, null, 2));
    expect(tokens.filter(({ kind }) => kind === 'key').map(({ text }) => JSON.parse(text))).toEqual(
      Object.keys(value),
    );
    expect(tokens.filter(({ kind }) => kind === 'number').map(({ text }) => text)).toEqual(['1.5', '-2']);
  });
});
