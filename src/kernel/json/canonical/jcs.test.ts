import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BatonError } from '../../error.ts';
import { toPlain } from '../plain.ts';
import { readJson } from '../reader.ts';
import { jsonText } from '../testing.ts';
import type { Json } from '../value.ts';
import { canonicalJcs } from './jcs.ts';

function doubleOf(hex: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${hex}`));
  return view.getFloat64(0);
}

describe('RFC 8785', () => {
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the double %s as %s', (hex, text) => {
    expect(canonicalJcs(doubleOf(hex))).toBe(text);
  });

  it('orders keys by UTF-16 units', () => {
    const text = '{"\u20ac":1,"\\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}';
    expect(canonicalJcs(readJson(text))).toBe(
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
    );
  });

  it('keeps null members', () => {
    expect(canonicalJcs({ b: null, a: [null] })).toBe('{"a":[null],"b":null}');
  });

  it('agrees with another implementation on everything that it does not refuse', () => {
    let compared = 0;
    fc.assert(
      fc.property(jsonText, (text) => {
        const value = readJson(text);
        let ours: string;
        try {
          ours = canonicalJcs(value);
        } catch (error) {
          expect((error as BatonError).code).toBe('lossy_number');
          return;
        }
        compared += 1;
        expect(ours).toBe(canonicalize(toPlain(value)));
        expect(canonicalJcs(toPlain(value) as Json)).toBe(ours);
      }),
      { numRuns: process.env.BATON_PROVE === '1' ? 50_000 : 2000 },
    );
    expect(compared).toBeGreaterThan(1000);
  });
});
