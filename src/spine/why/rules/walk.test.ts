import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Source, Thing } from '../../journal/provenance.ts';
import { walkBack } from './walk.ts';

const thing = (id: string, kind = 'package'): Thing => ({ kind, id });
const on = (id: string, as = 'parent', kind = 'package'): Source => ({ kind, id, as });

/** A world in which everything that is listed is known. */
function world(rests: Readonly<Record<string, readonly Source[]>>) {
  return async ({ id }: Thing) => ({ steps: id in rests ? [id] : [], sources: rests[id] ?? [] });
}

const ids = (graph: { nodes: readonly Thing[] }) => graph.nodes.map(({ id }) => id);
const WIDE = { depth: 10, nodes: 100 };

describe('the walk back', () => {
  it('names each thing once, nearest first, with what it rests on', async () => {
    const graph = await walkBack(
      thing('a'),
      world({ a: [on('b'), on('c')], b: [on('d')], c: [on('d')], d: [] }),
      WIDE,
    );
    expect(ids(graph)).toEqual(['a', 'b', 'c', 'd']);
    expect(graph.links).toEqual([
      { from: 0, to: 1, as: 'parent' },
      { from: 0, to: 2, as: 'parent' },
      { from: 1, to: 3, as: 'parent' },
      { from: 2, to: 3, as: 'parent' },
    ]);
    expect(graph.nodes.some(({ cut }) => cut)).toBe(false);
  });

  it('ends a circle where it began', async () => {
    const graph = await walkBack(thing('a'), world({ a: [on('b'), on('a')], b: [on('a')] }), WIDE);
    expect(ids(graph)).toEqual(['a', 'b']);
    expect(graph.links).toEqual([
      { from: 0, to: 1, as: 'parent' },
      { from: 1, to: 0, as: 'parent' },
    ]);
  });

  it('stops at its depth and says where', async () => {
    const graph = await walkBack(thing('a'), world({ a: [on('b')], b: [on('c')], c: [on('d')], d: [] }), {
      depth: 2,
      nodes: 100,
    });
    expect(graph.nodes.map(({ id, cut }) => [id, cut])).toEqual([
      ['a', false],
      ['b', false],
      ['c', true],
    ]);
  });

  it('stops at its size and says where', async () => {
    const graph = await walkBack(thing('a'), world({ a: [on('b'), on('c'), on('d')], b: [], c: [], d: [] }), {
      depth: 9,
      nodes: 3,
    });
    expect(ids(graph)).toEqual(['a', 'b', 'c']);
    expect(graph.nodes[0]?.cut).toBe(true);
  });

  it('leaves out what nothing is known of, but names a rule', async () => {
    const graph = await walkBack(
      thing('a'),
      world({ a: [on('gone'), on('rule-1', 'rule', 'policy')] }),
      WIDE,
    );
    expect(ids(graph)).toEqual(['a', 'rule-1']);
  });

  it('shows what somebody was handed, not where each piece of it came from', async () => {
    const told = world({ a: [on('r', 'knew', 'reading')], r: [on('b', 'knew')], b: [on('c')], c: [] });
    expect(ids(await walkBack(thing('a'), told, WIDE))).toEqual(['a', 'r', 'b']);
  });

  it('holds its bounds in any world, and every link leads somewhere', async () => {
    const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    const anyWorld = fc.dictionary(
      names,
      fc.array(
        names.map((id) => on(id)),
        { maxLength: 8 },
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        anyWorld,
        fc.integer({ min: 0, max: 4 }),
        fc.integer({ min: 1, max: 6 }),
        async (rests, depth, nodes) => {
          const graph = await walkBack(thing('a'), world(rests), { depth, nodes });
          expect(graph.nodes.length).toBeLessThanOrEqual(nodes);
          expect(new Set(ids(graph)).size).toBe(graph.nodes.length);
          for (const { from, to } of graph.links) {
            expect(graph.nodes[from]).toBeDefined();
            expect(graph.nodes[to]).toBeDefined();
          }
        },
      ),
    );
  });
});
