import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Effect, Thing } from '../../journal/provenance.ts';
import { reachFrom, thingKey } from './reach.ts';

const thing = (n: number): Thing => ({ kind: 'thing', id: String(n) });
const LIMITS = { depth: 1_000, things: 100_000, batch: 7 };

describe('reaching forwards', () => {
  it('finds what can be reached, each thing once and by a shortest way, whatever the graph', async () => {
    const edge = fc.tuple(fc.nat(14), fc.nat(14));
    await fc.assert(
      fc.asyncProperty(fc.array(edge, { maxLength: 40 }), async (edges) => {
        const effectsOf = async (of: readonly Thing[]): Promise<Effect[]> =>
          edges
            .filter(([from]) => of.some(({ id }) => id === String(from)))
            .map(([from, to]) => ({ of: thing(from), to: thing(to), as: 'relied' }));
        const { things, complete } = await reachFrom(thing(0), effectsOf, LIMITS);
        const distance = new Map([[0, 0]]);
        for (let round = 0; round < 15; round += 1) {
          for (const [from, to] of edges) {
            const way = (distance.get(from) ?? Number.POSITIVE_INFINITY) + 1;
            if (way < (distance.get(to) ?? Number.POSITIVE_INFINITY)) distance.set(to, way);
          }
        }
        distance.delete(0);
        expect(complete).toBe(true);
        expect(new Map(things.map(({ id, distance: far }) => [Number(id), far]))).toEqual(distance);
        expect(new Set(things.map(thingKey)).size).toBe(things.length);
        expect(things.map(({ distance: far }) => far)).toEqual(
          things.map(({ distance: far }) => far).sort((a, b) => a - b),
        );
      }),
    );
  });

  it('says where it ended at a limit, and holds a hundred thousand', async () => {
    const fan = async (of: readonly Thing[]): Promise<Effect[]> =>
      of.flatMap((from) =>
        Array.from({ length: 10 }, (_, n) => ({
          of: from,
          to: { kind: 'thing', id: `${from.id}.${n}` },
          as: 'r',
        })),
      );
    const root = { kind: 'thing', id: 'root' };
    const many = await reachFrom(root, fan, { ...LIMITS, things: 100_000, batch: 500 });
    expect(many.things).toHaveLength(100_000);
    expect(many.complete).toBe(false);
    const near = await reachFrom(root, fan, { ...LIMITS, depth: 2 });
    expect(near.things).toHaveLength(110);
    expect(near.complete).toBe(false);
  });
});
