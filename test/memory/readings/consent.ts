import { expect } from 'vitest';
import type { ConsentTraits } from '../../../src/slices/memory/consent/rules/grant.ts';
import { readPurpose } from '../../../src/slices/memory/consent/rules/purpose.ts';
import { ownsProfile } from '../../../src/slices/memory/profile-access.ts';
import { testPrincipal } from '../../../src/spine/identity/testing.ts';
import { type Row, sees } from './fixtures.ts';

const profile = {
  did: 'did:a2p:user:local:ana',
  projectId: 'default',
  profileType: 'human',
  ownerActor: 'ana',
  declinedKey: new Uint8Array(),
  settings: {},
  createdAt: '',
};

export const consentReadings: readonly Row[] = [
  [
    24,
    'the lower priority goes first',
    () => {
      expect(
        sees({}, [
          { priority: 2, permissions: ['none'] },
          { priority: 1, allow: ['a2p:*'] },
        ]),
      ).toBe(true);
      expect(
        sees({}, [
          { priority: 1, permissions: ['none'] },
          { priority: 2, allow: ['a2p:*'] },
        ]),
      ).toBe(false);
    },
  ],
  [
    25,
    'the first match grants, and every denial holds',
    () => {
      expect(sees({}, [{ allow: ['a2p:*'] }, { priority: 900, deny: ['a2p:preferences.*'] }])).toBe(false);
    },
  ],
  [
    26,
    'expiry and validUntil, purposeRequired and requirePurpose all count',
    () => {
      for (const end of [
        { expiry: '2020-01-01T00:00:00Z' },
        { validUntil: '2020-01-01T00:00:00Z' },
        { validFrom: '2030-01-01T00:00:00Z' },
      ]) {
        expect(sees({}, [{ allow: ['a2p:*'], ...end }])).toBe(false);
      }
      for (const need of [
        { purposeRequired: true },
        { requirePurpose: true },
        { conditions: { requirePurpose: true } },
        { purposeRequirements: { allowedPurposes: ['research'] } },
      ]) {
        expect(sees({}, [{ allow: ['a2p:*'], ...need }])).toBe(false);
        expect(sees({}, [{ allow: ['a2p:*'], ...need }], { purpose: readPurpose('research') })).toBe(true);
      }
    },
  ],
  [
    27,
    'restricted and sensitive need read_scoped and their category by name',
    () => {
      const health: Partial<ConsentTraits> = { category: 'a2p:health', sensitivity: 'restricted' };
      expect(sees(health, [{ permissions: ['read_full'], allow: ['a2p:health.*'] }])).toBe(false);
      expect(sees(health, [{ allow: ['a2p:*', 'a2p:semantic'] }])).toBe(false);
      expect(sees(health, [{ allow: ['a2p:health'] }])).toBe(true);
    },
  ],
  [
    28,
    'read_public serves only what is public',
    () => {
      const policy = { permissions: ['read_public'], allow: ['a2p:*'] };
      expect([sees({}, [policy]), sees({ sensitivity: 'public' }, [policy])]).toEqual([false, true]);
    },
  ],
  [
    33,
    'a purpose may be a word, and becomes a whole',
    () => {
      expect(readPurpose('analysis')).toEqual({ type: 'analysis', description: '', legalBasis: 'consent' });
    },
  ],
  [
    35,
    'other words for purposes are mapped',
    () => {
      expect(['support', 'compliance', 'marketing'].map((each) => readPurpose(each).type)).toEqual([
        'service_delivery',
        'legal_compliance',
        'other',
      ]);
    },
  ],
  [
    36,
    'trust scores above one are out of five',
    () => {
      const policy = { allow: ['a2p:*'], conditions: { minTrustScore: 0.9 } };
      expect([sees({}, [policy], { trustScore: 4.7 }), sees({}, [policy], { trustScore: 4 })]).toEqual([
        true,
        false,
      ]);
    },
  ],
  [
    37,
    'only who keeps the profile may review',
    () => {
      const as = (id: string, type: 'human' | 'agent') =>
        testPrincipal({
          actor: { id, type },
          scopes: new Set(['memory:*']),
          credential: { kind: 'key', id: 'k' },
        });
      expect([
        ownsProfile(as('ana', 'human'), profile),
        ownsProfile(as('ben', 'human'), profile),
        ownsProfile(as('ana', 'agent'), profile),
      ]).toEqual([true, false, false]);
      expect(ownsProfile(as('ben', 'human'), { ...profile, settings: { delegates: ['ben'] } })).toBe(true);
    },
  ],
];
