import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrayItems } from './compact.ts';

describe('the items of an array', () => {
  it('are those that a reader finds, whatever is in them and however it is spaced', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'), (values, space) => {
        const items = arrayItems(JSON.stringify(values, null, space));
        expect(items.map((item) => JSON.parse(item))).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
  });

  it('keep what a reader would lose', () => {
    expect(arrayItems('[ 1.0, {"b":1e2, "a" : 12345678901234567890} , "a,]\\"" ]')).toEqual([
      '1.0',
      '{"b":1e2,"a":12345678901234567890}',
      '"a,]\\""',
    ]);
  });
});
