import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import { draftMerge, type MergeSource, mergeMemories, restoreSource } from './rules.ts';

const RUNS = process.env.BATON_PROVE ? 5_000 : 300;
const AT = '2026-02-01T00:00:00Z';

const memory = (id: string, more: JsonObject = {}): MergeSource => ({
  id,
  type: 'semantic',
  document: {
    id,
    content: `Text of ${id}`,
    category: 'a2p:interests.music',
    confidence: 0.8,
    status: 'approved',
    ...more,
  },
});

describe('consolidation', () => {
  it('drafts the text of the merge from what the sources share', () => {
    expect(draftMerge(['Likes jazz music', 'Enjoys electronic music'])).toBe(
      'Music preferences: jazz, electronic',
    );
    expect(draftMerge(['Likes tea', 'Loves coffee'])).toBe('Likes: tea, coffee');
    expect(draftMerge(['User works in Oslo', 'User works in Bergen'])).toBe('User works in: Oslo, Bergen');
    expect(draftMerge(['Has a dog', 'Owns a boat.'])).toBe('Has a dog; Owns a boat');
    expect(draftMerge(['Has a dog.', 'has a DOG'])).toBe('Has a dog.');
  });

  it('is as strict as the strictest source, and as sure as none but the surest', () => {
    const merged = mergeMemories({
      id: 'mem_new',
      at: AT,
      sources: [
        memory('mem_1', {
          sensitivity: 'sensitive',
          scope: ['work', 'home'],
          source: { type: 'agent_proposal', agentDid: 'did:a2p:agent:local:a' },
        }),
        memory('mem_2', {
          confidence: 0.6,
          scope: ['home'],
          source: { type: 'system_derived', derivedFromAgents: ['did:a2p:agent:local:b'] },
        }),
      ],
    });
    expect(merged.document).toMatchObject({
      consolidatedFrom: ['mem_1', 'mem_2'],
      metadata: { mergedFrom: ['mem_1', 'mem_2'] },
      sensitivity: 'sensitive',
      scope: ['home'],
      confidence: 0.8,
      source: {
        type: 'system_derived',
        derivedFromAgents: ['did:a2p:agent:local:a', 'did:a2p:agent:local:b'],
      },
    });
    expect(merged.archived.map(({ document }) => document)).toMatchObject([
      { status: 'archived', metadata: { supersededBy: 'mem_new' } },
      { status: 'archived', metadata: { supersededBy: 'mem_new' } },
    ]);
  });

  it('shares a merge of contradicting contexts with nobody', () => {
    const sources = [memory('mem_1', { scope: ['work'] }), memory('mem_2', { scope: ['home'] })];
    expect(mergeMemories({ id: 'mem_3', at: AT, sources }).document.scope).toEqual(['none']);
  });

  it('refuses what is not alike, not approved, or only one', () => {
    const refused = (...sources: MergeSource[]) =>
      expect(() => mergeMemories({ id: 'mem_x', at: AT, sources })).toThrow('cannot be merged');
    refused(memory('mem_1'));
    refused(memory('mem_1'), memory('mem_1'));
    refused(memory('mem_1'), { ...memory('mem_2'), type: 'episodic' });
    refused(memory('mem_1'), memory('mem_2', { category: 'a2p:health' }));
    refused(memory('mem_1'), memory('mem_2', { status: 'archived' }));
  });

  it('undone, leaves every source byte for byte as it was', () => {
    const document = fc.record(
      {
        confidence: fc.double({ min: 0, max: 1, noNaN: true }),
        status: fc.constant('approved'),
        scope: fc.array(fc.string()),
        metadata: fc.dictionary(fc.string(), fc.jsonValue()),
        extra: fc.jsonValue(),
        tags: fc.array(fc.string()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(document, { minLength: 2, maxLength: 5 }), (documents) => {
        const sources = documents.map((each, at) => ({
          id: `mem_${at}`,
          type: 'semantic' as const,
          document: { id: `mem_${at}`, content: `c${at}`, category: 'a2p:context', ...each } as JsonObject,
        }));
        const { archived } = mergeMemories({ id: 'mem_n', at: AT, sources });
        expect(archived.map(restoreSource).map((each) => writeJson(each.document))).toEqual(
          sources.map((each) => writeJson(each.document)),
        );
      }),
      { numRuns: RUNS },
    );
  });
});
