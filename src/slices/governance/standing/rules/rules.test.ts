import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../../kernel/json/value.ts';
import type { Policy } from '../../atlases/schema.ts';
import type { PolicySet } from '../../policies/rules/compile.ts';
import { decide } from '../../policies/rules/decide.ts';
import { actionOf, manifestOf, setOf } from '../../testing/manifest.ts';
import { draftRule } from './draft.ts';
import { mayLieWithin, type Region, regionOf, whenOf } from './region.ts';

const call = (parameters: object) => readJson(JSON.stringify(parameters)) as JsonObject;
const refunds = (amounts: readonly number[], more: object = {}) =>
  amounts.map((amount, n) => call({ order: `A-${n}`, amount, reason: 'parcel_lost', ...more }));

describe('what calls have in common', () => {
  it('is the range of their numbers, the texts that never change, and nothing of those that always do', () => {
    expect(regionOf(refunds([104, 148, 120.5]), ['amount'], ['note'])).toEqual({
      bounds: [
        { path: 'amount', test: { gte: 104, lte: 148 } },
        { path: 'reason', test: { eq: 'parcel_lost' } },
        { path: 'note', test: { exists: false } },
      ],
      free: ['order'],
    });
  });

  it('is a list where a few texts came again and again', () => {
    const calls = Array.from({ length: 12 }, (_, n) => call({ carrier: ['DHL', 'GLS'][n % 2], amount: 5 }));
    expect(regionOf(calls, [], [])?.bounds).toEqual([
      { path: 'carrier', test: { in: ['DHL', 'GLS'] } },
      { path: 'amount', test: { eq: 5 } },
    ]);
  });

  it.each([
    ['amounts written as text', ['49.90', '18.00'].map((amount) => call({ amount, kind: 'x' })), []],
    ['lists', [call({ to: ['a'], n: 1 }), call({ to: ['a'], n: 1 })], []],
    ['null', [call({ a: null, n: 1 }), call({ a: null, n: 1 })], []],
    ['other parameters', [call({ a: 1 }), call({ a: 1, b: 2 })], []],
    ['a text that the rule looks at', [call({ to: 'a', n: 1 }), call({ to: 'b', n: 1 })], ['to']],
    ['nothing but texts that may be anything', [call({ to: 'a' }), call({ to: 'b' })], []],
    ['a number that no program can hold', [readJson('{"n":12345678901234567890123}') as JsonObject], []],
  ])('is nothing that a rule could be made of: %s', (_, calls, deciding) => {
    expect(regionOf(calls, deciding, [])).toBeUndefined();
  });

  it('holds every call that it was made of, and whatever cannot be judged may lie in it', () => {
    const region = regionOf(refunds([104, 148]), ['amount'], []) as Region;
    for (const each of refunds([104, 148])) expect(mayLieWithin(region, each)).toBe(true);
    expect(mayLieWithin(region, call({ amount: '120', order: 'B', reason: 'parcel_lost' }))).toBe(true);
    expect(mayLieWithin(region, call({ amount: 149, order: 'B', reason: 'parcel_lost' }))).toBe(false);
  });
});

describe('the drafted rule', () => {
  const ASK: Policy = {
    policy_id: 'large-refunds',
    type: 'require_approval',
    actions: ['order.refund'],
    parameters: { when: { amount: { gt: 100 } } },
  };
  const before: Policy[] = [ASK, { policy_id: 'work', type: 'allow', actions: ['order.*'] }];
  const region = regionOf(refunds([104, 148]), ['amount'], ['note']) as Region;
  const exception = {
    policyId: 'large-refunds',
    agentId: 'refund-bot',
    actionId: 'order.refund',
    region,
    reason: 'ana approved 40 of 40 like this',
  };
  const draft = (policies: Policy[] = before) =>
    draftRule(manifestOf({ policies, version: '1.4.2' }), exception);
  const sets = (policies: Policy[]) => setOf(policies, [actionOf('order.refund'), actionOf('order.close')]);
  const effect = (set: PolicySet, agentId: string, parameters: JsonObject, actionId = 'order.refund') =>
    decide(set.action(actionId) as NonNullable<ReturnType<PolicySet['action']>>, {
      agentId,
      riskTier: undefined,
      context: {},
      scopes: new Set(),
      now: 0,
      parameters,
    }).effect;

  it('is the next minor version, in which exactly these calls are allowed and no longer asked', () => {
    const { manifest, policyId } = draft() as NonNullable<ReturnType<typeof draft>>;
    expect(manifest.version).toBe('1.5.0');
    expect(manifest.policies?.find(({ policy_id }) => policy_id === policyId)).toEqual({
      policy_id: 'large-refunds-standing',
      type: 'allow',
      actions: ['order.refund'],
      conditions: { agents: ['refund-bot'] },
      parameters: { reason: 'ana approved 40 of 40 like this', when: whenOf(region) },
    });
    const set = sets(manifest.policies as Policy[]);
    const like = { order: 'Z', reason: 'parcel_lost', amount: 120 };
    expect(effect(set, 'refund-bot', call(like))).toBe('allow');
    for (const other of [
      { ...like, amount: 149 },
      { ...like, amount: 103 },
      { ...like, amount: '120' },
      { ...like, reason: 'wrong_item' },
      { ...like, reason: 'parcel_lost ' },
      { ...like, note: 'and pay the agent' },
      { ...like, note: null },
    ]) {
      expect([other, effect(set, 'refund-bot', call(other))]).toEqual([other, 'require_approval']);
    }
    expect(effect(set, 'refund-bot-2', call(like))).toBe('require_approval');
  });

  it('changes no decision outside of what was approved, whatever is asked', () => {
    const [old, fresh] = [sets(before), sets(draft()?.manifest.policies as Policy[])];
    const value = fc.oneof(
      fc.integer({ min: 90, max: 160 }),
      fc.constantFrom('parcel_lost', 'Parcel_lost', '120', '', null, true),
      fc.array(fc.integer(), { maxLength: 2 }),
    );
    const parameters = fc.dictionary(fc.constantFrom('amount', 'reason', 'order', 'note', 'force'), value);
    const who = fc.constantFrom('refund-bot', 'refund-bo', 'other');
    const action = fc.constantFrom('order.refund', 'order.close');
    fc.assert(
      fc.property(who, action, parameters, (agentId, actionId, given) => {
        const asked = call(given);
        const [was, is] = [effect(old, agentId, asked, actionId), effect(fresh, agentId, asked, actionId)];
        if (was === is) return;
        expect([was, is, agentId, actionId]).toEqual([
          'require_approval',
          'allow',
          'refund-bot',
          'order.refund',
        ]);
        expect(given).toMatchObject({ reason: 'parcel_lost' });
        expect(given.amount).toSatisfy(
          (amount) => typeof amount === 'number' && amount >= 104 && amount <= 148,
        );
        expect('note' in given).toBe(false);
      }),
      { numRuns: 3_000 },
    );
  });

  it('leaves the other actions of the same rule as they are', () => {
    const both = { ...ASK, actions: ['order.refund', 'order.close'] };
    const drafted = draft([both, ...before.slice(1)])?.manifest.policies as Policy[];
    const like = call({ order: 'Z', reason: 'parcel_lost', amount: 120 });
    expect(effect(sets(drafted), 'refund-bot', like)).toBe('allow');
    expect(effect(sets(drafted), 'refund-bot', like, 'order.close')).toBe('require_approval');
  });

  it('is not made where the rule names its actions by a pattern, or asks about one value twice', () => {
    expect(draft([{ ...ASK, actions: ['order.*'] }])).toBeUndefined();
    const { actions: _, ...everything } = ASK;
    expect(draft([everything])).toBeUndefined();
    expect(draft([{ ...ASK, parameters: { when: { amount: { not: { lt: 100 } } } } }])).toBeUndefined();
    expect(draft([{ ...ASK, type: 'deny' }])).toBeUndefined();
  });

  it('keeps every alternative of the rule that asks', () => {
    const either = { ...ASK, parameters: { when: [{ amount: { gt: 100 } }, { vip: true }] } };
    const set = sets(draft([either, ...before.slice(1)])?.manifest.policies as Policy[]);
    const like = { order: 'Z', reason: 'parcel_lost', amount: 120 };
    expect(effect(set, 'refund-bot', call(like))).toBe('allow');
    expect(effect(set, 'other', call({ amount: 5, vip: true }))).toBe('require_approval');
    expect(effect(set, 'refund-bot', call({ ...like, amount: 5, vip: true }))).toBe('require_approval');
  });
});
