import { expect } from 'vitest';
import { grantFor, mayPropose } from '../../../src/slices/memory/consent/rules/grant.ts';
import { normalizePolicy } from '../../../src/slices/memory/consent/rules/policy.ts';
import { moveProposal } from '../../../src/slices/memory/proposals/rules.ts';
import { readEdits, readProposal } from '../../../src/slices/memory/proposals/shape.ts';
import { bot, code, NOW, note, type Row, sees } from './fixtures.ts';

export const faults: readonly Row[] = [
  [
    1,
    'the type of a proposal decides the array',
    () => expect(readProposal({ content: 'x', memory_type: 'procedural' }).type).toBe('procedural'),
  ],
  [
    2,
    'a denied category is denied inside the arrays too',
    () =>
      expect(
        sees({ category: 'a2p:health', type: 'episodic' }, [
          { allow: ['a2p:episodic'], deny: ['a2p:health.*'] },
        ]),
      ).toBe(false),
  ],
  [
    3,
    'a memory’s sharing context is not compared with scopes',
    () => {
      expect(sees({ scope: ['work'] }, [{ allow: ['a2p:preferences.*'] }])).toBe(true);
      expect(sees({ scope: ['work'] }, [{ allow: ['a2p:preferences.*'], subProfile: 'home' }])).toBe(false);
    },
  ],
  [
    4,
    'permissions are no ladder',
    () => {
      expect(sees({ sensitivity: 'public' }, [{ permissions: ['propose', 'write'], allow: ['a2p:*'] }])).toBe(
        false,
      );
      const grant = grantFor(
        [normalizePolicy({ agentPattern: '*', permissions: ['read_full'], allow: ['a2p:*'] })],
        bot,
        NOW,
      );
      expect(mayPropose(grant, note)).toBe(false);
    },
  ],
  [
    5,
    'conditions fail where nothing is known of the agent',
    () => {
      for (const conditions of [
        { requireVerifiedOperator: true },
        { minTrustScore: 0 },
        { requireAudit: true },
        { allowedJurisdictions: ['EU'] },
        { blockedJurisdictions: ['US'] },
      ]) {
        expect(sees({}, [{ allow: ['a2p:*'], conditions }])).toBe(false);
      }
      expect(sees({}, [{ allow: ['a2p:*'], operatorDids: ['did:a2p:org:x:y'] }])).toBe(false);
    },
  ],
  [
    6,
    'what is not approved is served to nobody',
    () => {
      for (const status of ['pending', 'archived', 'rejected', 'expired', 'other'])
        expect(sees({ status }, [{ allow: ['a2p:*'] }])).toBe(false);
    },
  ],
  [
    7,
    'a policy of one sub-profile opens no other',
    () =>
      expect(
        sees({ scope: ['home'] }, [{ allow: ['a2p:*'], subProfile: 'did:a2p:user:local:ana:work' }]),
      ).toBe(false),
  ],
  [
    8,
    'a dot in a pattern is a dot',
    () => expect(sees({}, [{ agentPattern: 'did.a2p*', allow: ['a2p:*'] }])).toBe(false),
  ],
  [
    9,
    'an expired proposal cannot be approved, swept up or not',
    () => expect(code(() => moveProposal('pending', NOW, 'approve', NOW))).toBe('proposal_expired'),
  ],
  [
    10,
    'only granted scopes are granted',
    () => expect(sees({ category: 'a2p:context' }, [{ allow: ['a2p:preferences.*'] }])).toBe(false),
  ],
  [11, 'priority 0 is 0', () => expect(normalizePolicy({ priority: 0 }).priority).toBe(0)],
  [
    12,
    'an empty edit is refused, not ignored',
    () => expect(code(() => readEdits({ editedContent: '' }))).toBe('A2P006'),
  ],
];
