import { describe, expect, it } from 'vitest';
import type { KnownFact, Surroundings } from './surroundings.ts';
import { compileWhen, factsOf, isWhenProblem, whenHolds } from './when.ts';

function both(written: unknown, around: Partial<Surroundings>): [boolean, boolean] {
  const when = compileWhen(written, { strict: true });
  if (isWhenProblem(when)) throw new Error(when.message);
  const whole = { parameters: {}, now: 0, ...around };
  return [whenHolds(when, whole, false), whenHolds(when, whole, true)];
}
const YES = [true, true];
const NO = [false, false];
const CAUTION = [false, true];

function fact(value: string, by: KnownFact['by'] = { id: 'ann', type: 'human' }): KnownFact {
  return { subject: 'customers', predicate: 'trusted', factId: 'fact_1', digest: 'sha256:', by, value };
}

describe('what the server knows', () => {
  const asker = { actor: 'ci-1', actorType: 'agent', credential: 'key', project: 'shop' };

  it('is tested by @', () => {
    expect(both({ '@actor_type': 'agent' }, { asker })).toEqual(YES);
    expect(both({ '@project': { in: ['prod'] } }, { asker })).toEqual(NO);
    expect(both({ '@agent': { matches: 'ci-*' } }, { agentId: 'ci-1' })).toEqual(YES);
    expect(both({ '@scopes': { contains: 'carp' } }, { scopes: new Set(['carp']) })).toEqual(YES);
  });

  it('is never read from the parameters', () => {
    expect(both({ '@actor_type': 'human' }, { asker, parameters: { '@actor_type': 'human' } })).toEqual(NO);
  });

  it('is judged before the parameters are known, and they are not', () => {
    const rule = { '@project': 'prod', amount: { gt: 5 } };
    expect(both(rule, { asker, parameters: undefined })).toEqual(NO);
    expect(both(rule, { asker: { ...asker, project: 'prod' }, parameters: undefined })).toEqual(CAUTION);
  });

  it('has no other names', () => {
    expect(compileWhen({ '@actr': 'x' }, { strict: true })).toMatchObject({
      message: expect.stringContaining('did you mean @actor?'),
    });
    expect(compileWhen({ '@facts/only': 'x' }, { strict: true })).toMatchObject({
      message: 'facts are written @facts/SUBJECT/PREDICATE',
    });
    expect(both({ '/@type': 'x' }, { parameters: { '@type': 'x' } })).toEqual(YES);
  });
});

describe('a list in a fact', () => {
  const rule = { customer: { in_fact: { subject: 'customers', predicate: 'trusted' } } };
  const asks = (facts: KnownFact[], customer: unknown = 'b') =>
    both(rule, { facts, parameters: { customer } });

  it.each([['["a","b"]'], ['a, b'], ['a\nb\n'], ['["a", "b", 3]']])('is %s', (value) => {
    expect(asks([fact(value)])).toEqual(YES);
    expect(asks([fact(value)], 'c')).toEqual(NO);
  });

  it('counts only by the word of a person, or of whom the rule names', () => {
    const byBot = fact('b', { id: 'crm-bot', type: 'agent' });
    expect(asks([byBot])).toEqual(CAUTION);
    const named = { customer: { in_fact: { subject: 'customers', predicate: 'trusted', by: ['crm-*'] } } };
    expect(both(named, { facts: [byBot], parameters: { customer: 'b' } })).toEqual(YES);
  });

  it('grants nothing and frees nothing where it is missing', () => {
    expect(asks([])).toEqual(CAUTION);
    expect(both({ '@facts/release/frozen': 'yes' }, { facts: [] })).toEqual(CAUTION);
    expect(both({ '@facts/release/frozen': { exists: true } }, { facts: [] })).toEqual(NO);
    const byBot = fact('no', { id: 'crm-bot', type: 'agent' });
    expect(both({ '@facts/customers/trusted': { exists: true } }, { facts: [byBot] })).toEqual(CAUTION);
    expect(both({ '@facts/customers/trusted': { exists: false } }, { facts: [byBot] })).toEqual(CAUTION);
  });

  it('is named to whoever has to find it, wherever it stands', () => {
    const when = compileWhen(
      [
        { '@facts/a~1b/c': 'x' },
        { list: { any: { '.': { not: { in_fact: { subject: 's', predicate: 'p' } } } } } },
      ],
      { strict: true },
    );
    if (isWhenProblem(when)) throw new Error(when.message);
    expect(factsOf(when)).toMatchObject([
      { subject: 'a/b', predicate: 'c' },
      { subject: 's', predicate: 'p' },
    ]);
  });
});
