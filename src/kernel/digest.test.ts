import { expect, it } from 'vitest';
import { digestOf, formatDigest, parseDigest } from './digest.ts';
import { portableHasher } from './sha256.ts';

it('a digest knows its profile, in memory and in text', () => {
  const value = { b: null, a: 'é' };
  const digests = (['agentic', 'appendix-b', 'jcs'] as const).map((profile) =>
    digestOf(portableHasher, profile, value),
  );
  expect(digests.map((digest) => digest.hex)).toEqual(
    ['{"a":"é"}', '{"a":"\\u00e9","b":null}', '{"a":"é","b":null}'].map((text) => portableHasher.hex(text)),
  );
  for (const digest of digests) expect(parseDigest(formatDigest(digest))).toEqual(digest);
  expect(formatDigest(digests[2]!)).toMatch(/^jcs-sha256:[0-9a-f]{64}$/);
  expect(parseDigest(`sha256:${digests[2]!.hex}`)).toBeUndefined();
});
