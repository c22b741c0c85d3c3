import { expect, it } from 'vitest';
import { nodeRandom } from '../../../platform/index.ts';
import { createSpanIds } from './span-ids.ts';

const SECOND = 1e6;

it('makes ids that no two spans share, and that stand in the order of their seconds', () => {
  let now = 1_790_000_000 * SECOND;
  const ids = createSpanIds({ now: () => now }, nodeRandom);
  const traces: string[] = [];
  const spans = new Set<string>();
  for (let second = 0; second < 20; second += 1, now += SECOND) {
    traces.push(ids.traceId());
    for (let n = 0; n < 1_000; n += 1) spans.add(ids.spanId());
  }
  expect(traces.toSorted()).toEqual(traces);
  expect(traces.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  expect(new Set(traces.map((id) => id.slice(8))).size).toBe(20);
  expect(spans.size).toBe(20_000);
  expect([...spans].every((id) => /^[0-9a-f]{16}$/.test(id))).toBe(true);
  expect(new Set([...spans].map((id) => id.slice(0, 4))).size).toBe(20);
});
