import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MEMORY_TYPES, SENSITIVITIES } from '../../categories.ts';
import { parseScope } from '../../scope-pattern.ts';
import { answerScopes, type ConsentTraits, grantFor, mayPropose, mayRead } from './grant.ts';
import { normalizePolicy, PERMISSIONS } from './policy.ts';
import type { Requester } from './requester.ts';

const RUNS = process.env.BATON_PROVE ? 20_000 : 1_500;

const CATEGORIES = [
  'a2p:health',
  'a2p:health.allergies',
  'a2p:preferences',
  'a2p:preferences.ui',
  'a2p:relationships',
  'ext:spotify:music.taste',
  'a2p:episodic',
  undefined,
];
const SCOPES = [
  '*',
  'a2p:*',
  'ext:*',
  'ext:spotify:*',
  'a2p:health',
  'a2p:health.*',
  'a2p:health.allergies',
  'a2p:preferences',
  'a2p:preferences.*',
  'a2p:preferences.ui',
  'a2p:relationships.*',
  'a2p:episodic',
  'a2p:semantic',
  'a2p:semantic.health',
  'a2p:semantic.preferences.*',
  'a2p:procedural.*',
];
const AGENTS = ['did:a2p:agent:local:work-1', 'did:a2p:agent:localXwork-1', 'did:a2p:agent:acme:helper'];
const PATTERNS = ['*', 'did:a2p:agent:local:*', 'did:a2p:agent:local:work-?', 'did:a2p:agent:acme:*'];
const NOW = 1_800_000_000_000_000;

interface WrittenPolicy {
  readonly [member: string]: unknown;
  readonly priority?: number | undefined;
  readonly enabled?: boolean | undefined;
  readonly agentPattern: string;
  readonly agentDids?: string[] | undefined;
  readonly operatorDids?: string[] | undefined;
  readonly agentTags?: string[] | undefined;
  readonly allow: string[];
  readonly deny: string[];
  readonly permissions: string[];
  readonly conditions?:
    | { requireVerifiedOperator?: boolean | undefined; minTrustScore?: number | undefined }
    | undefined;
  readonly expiry?: string | null | undefined;
  readonly subProfile?: string | undefined;
}

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const policy: fc.Arbitrary<WrittenPolicy> = fc.record({
  priority: some(fc.constantFrom(0, 1, 50, 100, 200)),
  enabled: rarely(fc.boolean()),
  agentPattern: fc.constantFrom(...PATTERNS),
  agentDids: rarely(fc.subarray(AGENTS)),
  operatorDids: rarely(fc.constant(['did:a2p:org:acme:ops'])),
  agentTags: rarely(fc.constant(['trusted'])),
  allow: fc.subarray(SCOPES, { minLength: 1, maxLength: 6 }),
  deny: fc.subarray(SCOPES, { maxLength: 1 }),
  permissions: fc.oneof(
    fc.subarray<string>([...PERMISSIONS], { maxLength: 3 }),
    fc.constantFrom<string[]>(['read_scoped'], ['read_full', 'propose']),
  ),
  conditions: rarely(
    fc.record({ requireVerifiedOperator: some(fc.boolean()), minTrustScore: some(fc.constantFrom(0.5, 4)) }),
  ),
  expiry: rarely(fc.constantFrom('2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z', null)),
  subProfile: some(fc.constantFrom('work', 'did:a2p:user:local:ana:home')),
});
const requester: fc.Arbitrary<Requester> = fc
  .record({
    agentDid: fc.constantFrom(...AGENTS),
    tags: some(fc.constant(['trusted'])),
    operatorDid: some(fc.constant('did:a2p:org:acme:ops')),
    operatorVerified: some(fc.boolean()),
    trustScore: some(fc.constantFrom(0.4, 0.6, 4.7)),
  })
  .map(
    (all) =>
      Object.fromEntries(
        Object.entries(all).filter(([, value]) => value !== undefined),
      ) as unknown as Requester,
  );
const memory: fc.Arbitrary<ConsentTraits> = fc.record({
  type: fc.constantFrom(...MEMORY_TYPES),
  category: fc.constantFrom(...CATEGORIES),
  sensitivity: fc.constantFrom(...SENSITIVITIES),
  scope: fc.subarray(['work', 'home', 'general']),
  status: fc.constantFrom('approved', 'approved', 'approved', 'pending', 'archived', 'rejected', 'expired'),
});

/** The consent rules once more, said from the sentences of the protocol: slow, flat, and sharing no code. */
function oracle(written: readonly WrittenPolicy[], who: Requester, what: ConsentTraits): boolean {
  if (what.status !== 'approved') return false;
  const glob = (pattern: string, text: string): boolean => {
    if (pattern === '') return text === '';
    if (pattern[0] === '*')
      return glob(pattern.slice(1), text) || (text !== '' && glob(pattern, text.slice(1)));
    return (
      text !== '' && (pattern[0] === '?' || pattern[0] === text[0]) && glob(pattern.slice(1), text.slice(1))
    );
  };
  const category = what.category === 'a2p:episodic' ? undefined : what.category;
  const reaches = (scope: string, closing: boolean): { hit: boolean; named: boolean } => {
    if (scope === '*') return { hit: true, named: false };
    if (scope === 'a2p:*')
      return { hit: category === undefined || category.startsWith('a2p:'), named: false };
    if (scope === 'ext:*') return { hit: category?.startsWith('ext:') === true, named: false };
    let rest = scope;
    const typed = /^a2p:(episodic|semantic|procedural)(?:\.(.+))?$/.exec(scope);
    if (typed) {
      if (typed[1] !== what.type) return { hit: false, named: false };
      if (typed[2] === undefined || typed[2] === '*') return { hit: true, named: false };
      rest = `a2p:${typed[2]}`;
    }
    const star = rest.endsWith('.*') || rest.endsWith(':*');
    const stem = star ? rest.slice(0, -2) : rest;
    const below = category?.startsWith(`${stem}.`) === true || category?.startsWith(`${stem}:`) === true;
    const hit = category === stem || ((star || closing) && below);
    return { hit, named: hit };
  };
  const inForce = written.filter(
    (each) =>
      each.enabled !== false &&
      !(typeof each.expiry === 'string' && each.expiry.startsWith('2020')) &&
      (glob(each.agentPattern, who.agentDid) || each.agentDids?.includes(who.agentDid)),
  );
  for (const each of inForce) for (const scope of each.deny) if (reaches(scope, true).hit) return false;
  const trust =
    who.trustScore === undefined ? undefined : who.trustScore > 1 ? who.trustScore / 5 : who.trustScore;
  const granting = inForce
    .filter((each) => {
      if (each.agentDids?.length && !each.agentDids.includes(who.agentDid)) return false;
      if (each.operatorDids && who.operatorDid !== 'did:a2p:org:acme:ops') return false;
      if (each.agentTags && !who.tags?.includes('trusted')) return false;
      if (each.conditions?.requireVerifiedOperator && who.operatorVerified !== true) return false;
      const asked = each.conditions?.minTrustScore;
      const least = asked !== undefined && asked > 1 ? asked / 5 : asked;
      return least === undefined || (trust !== undefined && trust >= least);
    })
    .map((each, at) => ({ each, at, order: each.priority === undefined ? 100 : each.priority }))
    .sort((a, b) => a.order - b.order || a.at - b.at)[0]?.each;
  if (!granting || granting.permissions.includes('none')) return false;
  const has = (permission: string) => granting.permissions.includes(permission);
  const hits = granting.allow.map((scope) => reaches(scope, false)).filter(({ hit }) => hit);
  if (hits.length === 0) return false;
  if (what.sensitivity === 'public' && !(has('read_public') || has('read_scoped') || has('read_full')))
    return false;
  if (what.sensitivity === 'standard' && !(has('read_scoped') || has('read_full'))) return false;
  if (what.sensitivity === 'sensitive' || what.sensitivity === 'restricted') {
    if (!has('read_scoped') || !hits.some(({ named }) => named)) return false;
  }
  if (granting.subProfile === undefined || what.scope.length === 0 || what.scope.includes('general'))
    return true;
  return what.scope.includes(granting.subProfile === 'work' ? 'work' : 'home');
}

describe('consent', () => {
  it('lets through exactly what a brute-force reading of the rules lets through', () => {
    let allowed = 0;
    fc.assert(
      fc.property(fc.array(policy, { maxLength: 4 }), requester, memory, (written, who, what) => {
        const decided = mayRead(
          grantFor(
            written.map((each) => normalizePolicy(each)),
            who,
            NOW,
          ),
          what,
        );
        if (decided) allowed += 1;
        expect(decided).toBe(oracle(written, who, what));
      }),
      { numRuns: RUNS },
    );
    // A property that never sees a permitted read would prove nothing.
    expect(allowed).toBeGreaterThan(RUNS / 200);
  });

  const ana: Requester = { agentDid: 'did:a2p:agent:local:work-1' };
  const note: ConsentTraits = {
    type: 'semantic',
    category: 'a2p:preferences.ui',
    sensitivity: 'standard',
    scope: ['work'],
    status: 'approved',
  };
  const grant = (...written: Record<string, unknown>[]) => grantFor(written.map(normalizePolicy), ana, NOW);
  const base = {
    id: 'policy_1',
    agentPattern: '*',
    allow: ['a2p:preferences.*'],
    permissions: ['read_scoped'],
  };

  it('gives no access without a policy', () => {
    expect(mayRead(grant(), note)).toBe(false);
    expect(mayPropose(grant(), note)).toBe(false);
  });

  it('asks what it cannot read to stay closed', () => {
    expect(mayRead(grant(base), note)).toBe(true);
    expect(mayRead(grant({ ...base, deny: ['health'] }), note)).toBe(false);
    expect(mayRead(grant({ ...base, expiry: 'next year' }), note)).toBe(false);
    expect(mayRead(grant({ ...base, agentPattern: undefined }), note)).toBe(false);
    expect(
      mayRead(grant({ ...base, conditions: { timeOfDay: { start: 'nine', end: '17:00' } } }), note),
    ).toBe(false);
  });

  it('answers which scopes it reaches into', () => {
    const given = grant({ ...base, deny: ['a2p:preferences.secret'] });
    expect(
      answerScopes(given, [
        'a2p:preferences',
        'a2p:preferences.ui',
        'a2p:preferences.secret',
        'a2p:health',
        'nonsense',
      ]),
    ).toEqual({
      granted: ['a2p:preferences', 'a2p:preferences.ui'],
      denied: ['a2p:preferences.secret', 'a2p:health', 'nonsense'],
    });
  });

  it.each([
    [['a2p:semantic.preferences'], [], 'a2p:episodic.preferences', false],
    [['a2p:semantic.preferences'], [], 'a2p:semantic.preferences', true],
    [['a2p:semantic.preferences'], [], 'a2p:preferences', true],
    [['*'], ['a2p:semantic'], 'a2p:semantic.preferences', false],
    [['*'], ['a2p:semantic'], 'a2p:episodic.preferences', true],
    [['*'], ['a2p:semantic'], 'a2p:preferences', true],
    [['*'], ['a2p:health'], 'a2p:health.allergies', false],
    [['*'], ['a2p:health'], 'a2p:*', true],
    [['*'], ['a2p:*'], 'a2p:*', false],
    [['*'], ['a2p:*'], 'ext:*', true],
    [['a2p:*'], [], 'ext:*', false],
    [['a2p:*'], [], '*', true],
  ])('of %j without %j reaches into %s: %s', (allow, deny, asked, reached) => {
    const { granted } = answerScopes(grant({ ...base, allow, deny }), [asked]);
    expect(granted.length === 1).toBe(reached);
  });

  it('refuses scopes with a star in the middle', () => {
    expect(parseScope('a2p:*.ui')).toBeUndefined();
    expect(parseScope('a2p:pref*')).toBeUndefined();
    expect(parseScope('preferences')).toBeUndefined();
  });
});
