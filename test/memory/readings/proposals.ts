import { expect } from 'vitest';
import { impliedType } from '../../../src/slices/memory/categories.ts';
import { classify } from '../../../src/slices/memory/memories/classify.ts';
import { facetsOf } from '../../../src/slices/memory/memories/rules.ts';
import { expiryOf, moveProposal, statusesOf } from '../../../src/slices/memory/proposals/rules.ts';
import {
  flatProposal,
  nestedProposal,
  readProposal,
  type StoredProposal,
} from '../../../src/slices/memory/proposals/shape.ts';
import { bot, code, NOW, type Row } from './fixtures.ts';

const stored = (over: Partial<StoredProposal> = {}): StoredProposal => ({
  ...readProposal({ content: 'x', memory_type: 'semantic' }),
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

export const proposalReadings: readonly Row[] = [
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
      expect(readProposal({ content: 'x', category: 'a2p:semantic' }).type).toBe('semantic');
      expect(
        code(() => readProposal({ content: 'x', category: 'a2p:semantic', memory_type: 'episodic' })),
      ).toBe('A2P024');
    },
  ],
  [
    3,
    'memory_type and memoryType are both taken, not two values',
    () => {
      expect(readProposal({ content: 'x', memoryType: 'semantic' }).type).toBe('semantic');
      expect(
        code(() => readProposal({ content: 'x', memoryType: 'semantic', memory_type: 'episodic' })),
      ).toBe('A2P006');
      expect(code(() => readProposal({ content: 'x', memory_type: 'other' }))).toBe('A2P023');
      expect(flatProposal(stored())).toHaveProperty('memory_type', 'semantic');
    },
  ],
  [
    5,
    'both shapes of a proposal are read and written',
    () => {
      const nested = readProposal({
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
      expect(statusesOf('approved')).toEqual(['approved', 'edited']);
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
    17,
    'a reclassification is a flat proposal with a kind and a target',
    () => {
      expect(
        readProposal({ kind: 'reclassification', targetMemoryId: 'mem_1', memory_type: 'semantic' }),
      ).toMatchObject({ kind: 'reclassification', type: 'semantic' });
      expect(code(() => readProposal({ kind: 'reclassification', memory_type: 'semantic' }))).toBe('A2P006');
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
      expect(readProposal({ content: 'x' }).confidence).toBe(0.7);
      expect(facetsOf({ content: 'x' }, 'episodic').confidence).toBe(0.8);
    },
  ],
];
