import { describe, expect, it } from 'vitest';
import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { nodeHasher } from '../../../platform/node-hasher.ts';
import { hashWithout } from './grant-rules.ts';

const hashOf = (text: string, mayDiffer: readonly string[] = []) =>
  hashWithout(nodeHasher, readJson(text) as JsonObject, mayDiffer);

describe('the call that a grant covers', () => {
  it.each([
    ['{"amount":9007199254740992.0}', '{"amount":9007199254740993.0}'],
    ['{"amount":0.1}', '{"amount":0.1000000000000000055511151231257827}'],
    ['{"amount":1}', '{"amount":1.0}'],
    ['{"to":null}', '{}'],
    ['{"to":"caf\u00e9"}', '{"to":"cafe\u0301"}'],
    ['{"__proto__":1}', '{}'],
    ['{"list":[1,2]}', '{"list":{"0":1,"1":2}}'],
  ])('is %s and not %s', (approved, executed) => {
    expect(hashOf(approved)).not.toBe(hashOf(executed));
  });

  it('is the same in another order, and with what may differ', () => {
    expect(hashOf('{"a":1.0,"b":2}')).toBe(hashOf('{"b":2,"a":1.00}'));
    expect(hashOf('{"a":1,"note":{"x":1,"y":2}}', ['note.x'])).toBe(
      hashOf('{"a":1,"note":{"x":9,"y":2}}', ['note.x']),
    );
    expect(hashOf('{"a":1,"note":{"x":1,"y":2}}', ['note.x'])).not.toBe(
      hashOf('{"a":1,"note":{"x":1,"y":3}}', ['note.x']),
    );
  });
});
