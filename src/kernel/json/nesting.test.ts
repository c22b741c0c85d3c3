import { describe, expect, it } from 'vitest';
import { requireShallow } from './nesting.ts';

const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;

describe('how deep a text nests', () => {
  it('is counted before anything reads it', () => {
    expect(() => requireShallow(nested(64))).not.toThrow();
    expect(() => requireShallow(nested(66))).toThrow(/more than 64/);
    expect(() => requireShallow('['.repeat(1_000_000))).toThrow(/more than 64/);
  });

  it('is not what stands in its strings, nor how many values stand beside each other', () => {
    expect(() =>
      requireShallow(JSON.stringify({ text: `${'['.repeat(100)}\\"${'{'.repeat(100)}` })),
    ).not.toThrow();
    expect(() => requireShallow(`[${'[],{},'.repeat(1_000)}1]`)).not.toThrow();
    expect(() => requireShallow('"[[[')).not.toThrow();
  });
});
