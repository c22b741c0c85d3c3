import { describe, expect, it } from 'vitest';
import { portableHasher } from '../../sha256.ts';
import { readJson } from '../reader.ts';
import { writeJson } from '../write.ts';
import { canonicalAgentic } from './agentic.ts';

const MILESTONE = {
  package_id: 'pkg_1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d',
  project_id: 'proj_dev_relay',
  relay_version: '0.1',
  title: 'Shipped archive/de-archive',
  status: 'complete',
  package_type: 'milestone',
  review_type: 'none',
  created_at: '2026-04-18T20:00:00Z',
  created_by: { id: 'jordan', type: 'human', session_id: null },
  tags: ['archive', 'cli'],
  decisions_made: ['Soft archive via archived_at timestamp'],
  open_questions: [],
  handoff_note: 'Migration 009 applied, dashboard filter works.',
};
const { status: _status, review_type: _review, ...body } = MILESTONE;
const author = { id: 'jordan', type: 'human' };

describe('the canonical form of a package', () => {
  it.each([
    [
      'an example of the protocol',
      MILESTONE,
      459,
      '0efe5d06aaaaf2dc735b3f9ce7cfc1a0f7cd715491ab61d991f57be1d4c0db33',
    ],
    [
      'the same without its null member',
      { ...MILESTONE, created_by: author },
      459,
      '0efe5d06aaaaf2dc735b3f9ce7cfc1a0f7cd715491ab61d991f57be1d4c0db33',
    ],
    [
      'the same with defaults written out',
      { ...MILESTONE, description: '', significance: 5, deliverables: [], content_md: '' },
      527,
      'a8a3abb573c618694c486de88a032d384c446b72e926fe2056f29cdaa85bb6ee',
    ],
    [
      'the same instant spelled otherwise',
      { ...MILESTONE, created_at: '2026-04-18T20:00:00+00:00' },
      464,
      '8a33b46ac747c24db9871a2624efebacbf7583935477996fea254dbc68ea3e10',
    ],
    [
      'the same with unknown members',
      { ...MILESTONE, 'x-trust-score': 0.1, created_by: { ...author, git_commit: 'abc123' } },
      501,
      '2653502a1801d77f30dc60a99fe978b52e0ffb3c879fbb232187f658ce000010',
    ],
    ['its body alone', body, 418, '4459ed37a1b8bd03f851b6945f196dfee464180c4de82b2b6a3b1f3b29cc8f25'],
    [
      'keys beyond the basic plane',
      { '😀': 1, '\uFB33': 2, x: { n: null }, a: [null, 1] },
      38,
      'a81dee9c10e037e0e6f586a27a25a89f3369af726cd4ed7c34e717780bf135ae',
    ],
  ])('hashes %s as published, read or made', (_, value, bytes, hash) => {
    const text = canonicalAgentic(value);
    expect(Buffer.byteLength(text)).toBe(bytes);
    expect(portableHasher.hex(text)).toBe(hash);
    expect(canonicalAgentic(readJson(JSON.stringify(value, null, 2)))).toBe(text);
  });

  it('orders keys by their UTF-8 bytes', () => {
    const keys = ['z', '\u{10000}', '\uffff', 'é', '\ue000', '', 'a', '\u{10ffff}', 'aa', '\ud7ff', '_'];
    const expected = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const text = canonicalAgentic(Object.fromEntries(keys.map((key) => [key, 1])));
    expect(Object.keys(JSON.parse(text))).toEqual(expected);
  });

  it('drops null members at every depth and keeps null items', () => {
    expect(canonicalAgentic({ b: { c: null, d: { e: null } }, a: [null, { f: null }], g: null })).toBe(
      '{"a":[null,{}],"b":{"d":{}}}',
    );
  });

  it('writes numbers as RFC 8785 does, whatever their lexeme', () => {
    expect(canonicalAgentic(readJson('[-0,5.0,1e21,1E2,0.10,9007199254740992,100000000000000000000]'))).toBe(
      '[0,5,1e+21,100,0.1,9007199254740992,100000000000000000000]',
    );
  });

  it('escapes only what must be', () => {
    expect(canonicalAgentic('/\u007f\u2028\b\t\n\f\r\u0001"\\é')).toBe(
      '"/\u007f\u2028\\b\\t\\n\\f\\r\\u0001\\"\\\\é"',
    );
  });

  it.each(['9007199254740993', '-12345678901234567890', '1e400', '-1e999'])(
    'refuses the lossy number %s',
    (lexeme) => {
      expect(() => canonicalAgentic(readJson(`{"a":[0,${lexeme}]}`))).toThrow(
        expect.objectContaining({ code: 'lossy_number', status: 400, pointer: '/a/1' }),
      );
    },
  );

  it('refuses half a surrogate pair, also in a key', () => {
    expect(() => canonicalAgentic({ a: { b: '\ud800' } })).toThrow(
      expect.objectContaining({ code: 'lone_surrogate', pointer: '/a/b' }),
    );
    expect(() => canonicalAgentic({ a: { '\udc00': 1 } })).toThrow(
      expect.objectContaining({ code: 'lone_surrogate', pointer: '/a/\udc00' }),
    );
  });

  it('leaves out members that are undefined, as writing them would', () => {
    const value = { a: undefined, b: 1 } as unknown as Record<string, number>;
    expect(canonicalAgentic(value)).toBe('{"b":1}');
  });

  it('refuses what nests too deeply instead of running out of stack', () => {
    let value: unknown[] = [];
    for (let depth = 0; depth < 100_000; depth += 1) value = [value];
    expect(() => canonicalAgentic(value as never)).toThrow(expect.objectContaining({ code: 'too_deep' }));
  });

  it('does not depend on what was written before, whatever the order of keys', () => {
    const orders = ['{"a":1,"b":2}', '{"b":2,"a":1}', '{"a":1,"b":2,"c":3}', '{"c":3,"a":1,"b":2}'];
    for (let round = 0; round < 3; round += 1) {
      expect(orders.map((text) => canonicalAgentic(readJson(text)))).toEqual([
        '{"a":1,"b":2}',
        '{"a":1,"b":2}',
        '{"a":1,"b":2,"c":3}',
        '{"a":1,"b":2,"c":3}',
      ]);
    }
    expect(writeJson(readJson(orders[3] as string))).toBe(orders[3]);
  });
});
