import { expect } from 'vitest';
import { defaultSensitivity, isRegistered, parseCategory } from '../../../src/slices/memory/categories.ts';
import {
  type Episode,
  judgePromotion,
  mergeMemories,
} from '../../../src/slices/memory/consolidation/rules.ts';
import { checkedContent, sanitizeText } from '../../../src/slices/memory/content.ts';
import { countsAsUse, freshness } from '../../../src/slices/memory/memories/rules.ts';
import { joinProfile, schemaMemory, splitProfile } from '../../../src/slices/memory/transfer/rules.ts';
import { code, NOW, type Row } from './fixtures.ts';

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
export const memoryReadings: readonly Row[] = [
  [
    4,
    'memories in a profile have no field for their type',
    () => {
      const { memories } = splitProfile({ memories: { 'a2p:semantic': [{ id: 'mem_1', content: 'x' }] } });
      expect(memories).toEqual([{ type: 'semantic', document: { id: 'mem_1', content: 'x' } }]);
    },
  ],
  [
    8,
    'source.type proposal is kept as written, and agent_proposal only for the schema',
    () => {
      const memory = { id: 'mem_1', content: 'x', source: { type: 'proposal' } };
      expect(joinProfile(splitProfile({ memories: { 'a2p:episodic': [memory] } })).memories).toEqual({
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
    34,
    'a content is text of at most 2000 characters, with nothing hidden in it',
    () => {
      expect(sanitizeText('cafe\u0301\u200b\u202e\u0007\r\nx')).toBe('café\nx');
      expect(code(() => checkedContent('x'.repeat(2001)))).toBe('A2P006');
      expect(code(() => checkedContent('\u200b'))).toBe('A2P006');
    },
  ],
];
