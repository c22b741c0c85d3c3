/** One row for each place where the protocol contradicts itself, and one for each fault of its reference to avoid. */
import { describe, expect, it } from 'vitest';
import { testPrincipal } from '../identity/testing.ts';
import { parseInstant } from '../kernel/instant.ts';
import { readJson } from '../kernel/json/reader.ts';
import type { JsonObject } from '../kernel/json/value.ts';
import { writeJson } from '../kernel/json/write.ts';
import { nodeHasher } from '../platform/node-hasher.ts';
import { fakeClock } from '../platform/testing.ts';
import { decodeBase58, ed25519FromMultibase, encodeBase58 } from './rules/base58.ts';
import { defaultSensitivity, impliedType, isRegistered, parseCategory } from './rules/category.ts';
import { classify } from './rules/classify.ts';
import { grantFor, mayPropose, mayRead, type Shared } from './rules/consent.ts';
import { mergeMemories } from './rules/consolidate.ts';
import { freshness } from './rules/decay.ts';
import { parseDid } from './rules/did.ts';
import { facetsOf } from './rules/memory-facets.ts';
import { checkedContent, sanitizeText } from './rules/memory-text.ts';
import { normalizePolicy } from './rules/policy.ts';
import { putTogether, schemaMemory, schemaProfile, takeApart } from './rules/profile-document.ts';
import { type Episode, judgePromotion } from './rules/promotion.ts';
import { expiryOf, moveProposal, statusesAsked } from './rules/proposal.ts';
import { flatProposal, nestedProposal, readProposed, type StoredProposal } from './rules/proposal-shape.ts';
import { readPurpose } from './rules/purpose.ts';
import { readSignatureHeader, requireFresh, signedDigest } from './rules/request-signature.ts';
import type { Requester } from './rules/requester.ts';
import { countsAsUse } from './rules/use-count.ts';
import { ownsProfile } from './service/caller.ts';
import { readEdits } from './service/review.ts';

const NOW = parseInstant('2026-03-04T12:00:00Z')!.micros;
const bot: Requester = { agentDid: 'did:a2p:agent:local:bot' };
const note: Shared = {
  type: 'semantic',
  category: 'a2p:preferences.ui',
  sensitivity: 'standard',
  scope: [],
  status: 'approved',
};
const sees = (memory: Partial<Shared>, policies: object[], who: Partial<Requester> = {}) =>
  mayRead(
    grantFor(
      policies.map((each) => normalizePolicy({ agentPattern: '*', permissions: ['read_scoped'], ...each })),
      { ...bot, ...who },
      NOW,
    ),
    { ...note, ...memory },
  );
const code = (work: () => unknown): string => {
  try {
    work();
    return 'ok';
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const stored = (over: Partial<StoredProposal> = {}): StoredProposal => ({
  ...readProposed({ content: 'x', memory_type: 'semantic' }),
  id: 'prop_1',
  agentDid: bot.agentDid,
  userDid: 'did:a2p:user:local:ana',
  status: 'pending',
  proposedAt: '2026-03-04T12:00:00.000Z',
  expiresAt: '2026-03-11T12:00:00.000Z',
  resolvedAt: undefined,
  createdMemoryId: undefined,
  reason: undefined,
  editedContent: undefined,
  editedCategory: undefined,
  similarTo: [],
  ...over,
});
const episode: Episode = {
  id: 'mem_1',
  type: 'episodic',
  status: 'approved',
  sensitivity: 'standard',
  confidence: 0.95,
  useCount: 11,
  day: '2026-01-01',
  session: 'a',
};
const kin = ['2026-01-02', '2026-01-03'].map((day, at) => ({ ...episode, id: `mem_k${at}`, day }));
const profile = {
  did: 'did:a2p:user:local:ana',
  projectId: 'default',
  profileType: 'human',
  ownerActor: 'ana',
  declinedKey: new Uint8Array(),
  settings: {},
  createdAt: '',
};

type Row = readonly [number, string, () => void];

const readings: readonly Row[] = [
  [
    1,
    'a proposal cannot expire before it is made; without an end it holds seven days',
    () => {
      expect(code(() => expiryOf(NOW, NOW))).toBe('A2P006');
      expect(expiryOf(NOW, undefined)).toBe(NOW + 7 * 86_400_000_000);
    },
  ],
  [
    2,
    'a2p:episodic as a category implies the type, and contradicting it is refused',
    () => {
      expect(impliedType('a2p:procedural')).toBe('procedural');
      expect(readProposed({ content: 'x', category: 'a2p:semantic' }).type).toBe('semantic');
      expect(
        code(() => readProposed({ content: 'x', category: 'a2p:semantic', memory_type: 'episodic' })),
      ).toBe('A2P024');
    },
  ],
  [
    3,
    'memory_type and memoryType are both taken, not two values',
    () => {
      expect(readProposed({ content: 'x', memoryType: 'semantic' }).type).toBe('semantic');
      expect(
        code(() => readProposed({ content: 'x', memoryType: 'semantic', memory_type: 'episodic' })),
      ).toBe('A2P006');
      expect(code(() => readProposed({ content: 'x', memory_type: 'other' }))).toBe('A2P023');
      expect(flatProposal(stored())).toHaveProperty('memory_type', 'semantic');
    },
  ],
  [
    4,
    'memories in a profile have no field for their type',
    () => {
      const { memories } = takeApart({ memories: { 'a2p:semantic': [{ id: 'mem_1', content: 'x' }] } });
      expect(memories).toEqual([{ type: 'semantic', document: { id: 'mem_1', content: 'x' } }]);
    },
  ],
  [
    5,
    'both shapes of a proposal are read and written',
    () => {
      const nested = readProposed({
        memory: { content: 'x', category: 'a2p:context', suggestedScope: ['work'] },
        proposedBy: { agentName: 'Bot' },
      });
      expect(nested).toMatchObject({
        content: 'x',
        category: 'a2p:context',
        scope: ['work'],
        agentName: 'Bot',
      });
      expect(flatProposal(stored())).toMatchObject({ content: 'x', agentDid: bot.agentDid });
      expect(nestedProposal(stored())).toMatchObject({
        memory: { content: 'x' },
        proposedBy: { agentDid: bot.agentDid },
      });
    },
  ],
  [
    6,
    'edited is a status of its own, and approved with edits in the nested form',
    () => {
      expect(nestedProposal(stored({ status: 'edited' }))).toMatchObject({
        status: 'approved',
        resolution: { action: 'approved_with_edits' },
      });
      expect(statusesAsked('approved')).toEqual(['approved', 'edited']);
    },
  ],
  [
    7,
    'withdrawn is final',
    () => {
      expect(moveProposal('pending', NOW + 1, 'withdraw', NOW)).toBe('withdrawn');
      expect(code(() => moveProposal('withdrawn', NOW + 1, 'approve', NOW))).toBe('proposal_closed');
    },
  ],
  [
    8,
    'source.type proposal is kept as written, and agent_proposal only for the schema',
    () => {
      const memory = { id: 'mem_1', content: 'x', source: { type: 'proposal' } };
      expect(putTogether(takeApart({ memories: { 'a2p:episodic': [memory] } })).memories).toEqual({
        'a2p:episodic': [memory],
      });
      expect(schemaMemory(memory, 't')).toMatchObject({ source: { type: 'agent_proposal', timestamp: 't' } });
    },
  ],
  [
    9,
    'a missing source stays missing, and is filled in only for the schema',
    () => {
      expect(schemaMemory({ id: 'mem_1', content: 'x' }, 't')).toMatchObject({
        source: { type: 'user_import', timestamp: 't' },
        status: 'approved',
      });
    },
  ],
  [
    10,
    'the seed’s sensitivities win, and health can only be made stricter',
    () => {
      expect(
        ['a2p:health', 'a2p:financial.x', 'a2p:relationships', 'a2p:preferences'].map((each) =>
          defaultSensitivity(each),
        ),
      ).toEqual(['restricted', 'restricted', 'sensitive', 'standard']);
      expect(defaultSensitivity('a2p:relationships', { overrides: { 'a2p:relationships': 'public' } })).toBe(
        'sensitive',
      );
      expect(defaultSensitivity('a2p:preferences', { overrides: { 'a2p:preferences': 'public' } })).toBe(
        'public',
      );
    },
  ],
  [
    11,
    'the default setting is for categories that no table knows',
    () => {
      expect(defaultSensitivity('a2p:hobby', { fallback: 'sensitive' })).toBe('sensitive');
      expect(defaultSensitivity('a2p:context', { fallback: 'sensitive' })).toBe('standard');
    },
  ],
  [
    12,
    'ext: has a vendor, and may have a category of its own',
    () => {
      expect(parseCategory('ext:spotify:music.preferences')).toMatchObject({
        vendor: 'spotify',
        top: 'ext:spotify:music',
      });
      expect(parseCategory('ext:myapp')).toMatchObject({ vendor: 'myapp' });
      expect(parseCategory('ext:a:b:c')).toBeUndefined();
    },
  ],
  [
    13,
    'unknown a2p: categories are legal, and flagged',
    () => {
      const category = parseCategory('a2p:test.conformance')!;
      expect(isRegistered(category)).toBe(false);
      expect(defaultSensitivity('a2p:test.conformance')).toBe('standard');
    },
  ],
  [
    14,
    'promotion needs all three signs, strictly, from separate occasions',
    () => {
      expect(judgePromotion(episode, kin).action).toBe('suggest');
      expect(judgePromotion({ ...episode, confidence: 0.9 }, kin).action).toBe('none');
      expect(judgePromotion({ ...episode, useCount: 10 }, kin).action).toBe('none');
      expect(
        judgePromotion(
          episode,
          kin.map((each) => ({ ...each, day: episode.day })),
        ).action,
      ).toBe('none');
      expect(judgePromotion({ ...episode, useCount: 0 }, [], { match: 'any' }).action).toBe('suggest');
    },
  ],
  [
    15,
    'promotion is suggested; by itself only where set, and never for what is sensitive',
    () => {
      expect(judgePromotion(episode, kin, { mode: 'auto' }).action).toBe('auto');
      expect(judgePromotion({ ...episode, sensitivity: 'sensitive' }, kin, { mode: 'auto' }).action).toBe(
        'suggest',
      );
    },
  ],
  [
    16,
    'a cluster becomes a new memory, its episodes archived and not deleted',
    () => {
      const sources = ['mem_1', 'mem_2'].map((id) => ({
        id,
        type: 'episodic' as const,
        document: { id, content: id },
      }));
      expect(
        mergeMemories({ id: 'mem_3', at: 't', sources }).archived.map(({ document }) => document.status),
      ).toEqual(['archived', 'archived']);
    },
  ],
  [
    17,
    'a reclassification is a flat proposal with a kind and a target',
    () => {
      expect(
        readProposed({ kind: 'reclassification', targetMemoryId: 'mem_1', memory_type: 'semantic' }),
      ).toMatchObject({ kind: 'reclassification', type: 'semantic' });
      expect(code(() => readProposed({ kind: 'reclassification', memory_type: 'semantic' }))).toBe('A2P006');
    },
  ],
  [
    18,
    'evidence of two episodes, not wording, makes a preference semantic',
    () => {
      expect(
        classify({
          content: 'User prefers detailed explanations',
          context: 'Based on follow-up questions in conversation',
        }).type,
      ).toBe('procedural');
      expect(classify({ content: 'User prefers technical explanations' }).type).toBe('semantic');
    },
  ],
  [
    19,
    'the default confidence is 0.7 for proposals and 0.8 on import',
    () => {
      expect(readProposed({ content: 'x' }).confidence).toBe(0.7);
      expect(facetsOf({ content: 'x' }, 'episodic').confidence).toBe(0.8);
    },
  ],
  [
    20,
    'a merge writes consolidatedFrom and mergedFrom',
    () => {
      const sources = ['mem_1', 'mem_2'].map((id) => ({
        id,
        type: 'episodic' as const,
        document: { id, content: id },
      }));
      expect(mergeMemories({ id: 'mem_3', at: 't', sources }).document).toMatchObject({
        consolidatedFrom: ['mem_1', 'mem_2'],
        metadata: { mergedFrom: ['mem_1', 'mem_2'] },
      });
    },
  ],
  [
    21,
    'only the same type and top category merge',
    () => {
      const sources = ['a2p:health', 'a2p:context'].map((category, at) => ({
        id: `mem_${at}`,
        type: 'episodic' as const,
        document: { content: 'x', category },
      }));
      expect(code(() => mergeMemories({ id: 'mem_3', at: 't', sources }))).toBe('merge_refused');
    },
  ],
  [
    22,
    'confidence halves in 205 days, as the table has it, and reading changes nothing',
    () => {
      for (const [days, expected] of [
        [30, 0.85],
        [90, 0.7],
        [180, 0.5],
        [365, 0.3],
      ] as const) {
        const { confidence } = freshness(
          { confidence: 0.95, since: NOW - days * 86_400_000_000, pinned: false },
          NOW,
        );
        expect(Math.abs(confidence - expected)).toBeLessThan(0.025);
      }
    },
  ],
  [
    23,
    'only delivered reads of agents count, once per session, capped by the day',
    () => {
      expect(countsAsUse('agent', { countedInSession: false, countedToday: 0 })).toBe(true);
      expect(countsAsUse('agent', { countedInSession: true, countedToday: 0 })).toBe(false);
      expect(countsAsUse('agent', { countedInSession: false, countedToday: 3 })).toBe(false);
      expect(countsAsUse('owner', { countedInSession: false, countedToday: 0 })).toBe(false);
    },
  ],
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
      const health: Partial<Shared> = { category: 'a2p:health', sensitivity: 'restricted' };
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
    29,
    'documents are 0.1.0 where the schema wants three numbers',
    () => {
      expect(schemaProfile({ id: 'did:a2p:user:local:a', version: '1.0' })).toMatchObject({
        version: '0.1.0',
      });
    },
  ],
  [
    30,
    'a DID has five parts; more only for a person’s sub-profile',
    () => {
      expect(parseDid('did:a2p:user:alice')).toBeUndefined();
      expect(parseDid('did:a2p:user:alice', { lenient: true })).toBeDefined();
      expect(parseDid('did:a2p:user:local:alice:work')).toMatchObject({
        base: 'did:a2p:user:local:alice',
        subProfile: 'work',
      });
      expect(parseDid('did:a2p:agent:local:bot:work')).toBeUndefined();
    },
  ],
  [
    31,
    'what is signed is the digest of five lines, with the hash of the body in lower-case hex',
    () => {
      const signed = { timestamp: 't', nonce: 'n' };
      const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
      expect(
        signedDigest(nodeHasher, { method: 'GET', path: '/p?q=1', body: new Uint8Array() }, signed),
      ).toEqual(nodeHasher.bytes(`GET\n/p?q=1\nt\nn\n${empty}`));
      const key = Uint8Array.from({ length: 32 }, (_, at) => at);
      expect(decodeBase58(encodeBase58(key))).toEqual(key);
      expect(ed25519FromMultibase(`z${encodeBase58(key)}`)).toEqual(key);
    },
  ],
  [
    32,
    'a bad DID is A2P010, an old timestamp A2P007, a bad nonce A2P009',
    () => {
      const header = (did: string, nonce: string) =>
        `A2P-Signature did="${did}",sig="x",ts="2020-01-01T00:00:00Z",nonce="${nonce}"`;
      expect(code(() => readSignatureHeader(header('did:x', 'a'.repeat(16))))).toBe('A2P010');
      expect(code(() => readSignatureHeader(header(bot.agentDid, 'short')))).toBe('A2P009');
      expect(
        code(() =>
          requireFresh(readSignatureHeader(header(bot.agentDid, 'a'.repeat(16))), fakeClock().now()),
        ),
      ).toBe('A2P007');
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
    34,
    'a content is text of at most 2000 characters, with nothing hidden in it',
    () => {
      expect(sanitizeText('cafe\u0301\u200b\u202e\u0007\r\nx')).toBe('café\nx');
      expect(code(() => checkedContent('x'.repeat(2001)))).toBe('A2P006');
      expect(code(() => checkedContent('\u200b'))).toBe('A2P006');
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

const faults: readonly Row[] = [
  [
    1,
    'the type of a proposal decides the array',
    () => expect(readProposed({ content: 'x', memory_type: 'procedural' }).type).toBe('procedural'),
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

describe('the readings', () => {
  it('are all here', () =>
    expect([readings.map(([at]) => at), faults.map(([at]) => at)]).toEqual([
      Array.from({ length: 37 }, (_, at) => at + 1),
      Array.from({ length: 12 }, (_, at) => at + 1),
    ]));
  it.each(readings)('%i: %s', (_, __, check) => check());
});

describe('the faults of the reference', () => {
  it.each(faults)('%i: %s', (_, __, check) => check());
});

describe('a profile', () => {
  it('comes out of an import byte for byte as it went in', () => {
    const text =
      '{"id":"did:a2p:user:local:ana","version":"1.0","x":1.0,"memories":{"a2p:professional":{"skills":["a"]},"a2p:semantic":[{"id":"mem_001","content":"x","confidence":0.90}],"a2p:episodic":[]},"accessPolicies":[{"id":"policy_1"}],"pendingProposals":[]}';
    expect(writeJson(putTogether(takeApart(readJson(text) as JsonObject)))).toBe(text);
  });
});
