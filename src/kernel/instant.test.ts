import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMicros, formatMillis, parseInstant } from './instant.ts';

describe('writing an instant', () => {
  it('has six or three digits', () => {
    expect(formatMicros(1_735_387_200_000_001)).toBe('2024-12-28T12:00:00.000001Z');
    expect(formatMillis(1_735_387_200_123_999)).toBe('2024-12-28T12:00:00.123Z');
    expect(formatMicros(-1)).toBe('1969-12-31T23:59:59.999999Z');
  });

  it('reads back', () => {
    const first = Date.UTC(0, 0, 1) * 1000;
    fc.assert(
      fc.property(fc.integer({ min: first, max: Number.MAX_SAFE_INTEGER }), (micros) => {
        expect(parseInstant(formatMicros(micros))).toEqual({ micros, utc: true });
      }),
    );
  });
});

describe('reading an instant', () => {
  const noon = 1_735_387_200_000_000;

  it.each([
    ['2024-12-28T12:00:00Z', noon, true],
    ['2024-12-28t12:00:00z', noon, true],
    ['2024-12-28T12:00:00+00:00', noon, true],
    ['2024-12-28T12:00:00-00:00', noon, true],
    ['2024-12-28T14:30:00+02:30', noon, false],
    ['2024-12-28T04:00:00-08:00', noon, false],
    ['2024-12-28T12:00:00.5Z', noon + 500_000, true],
    ['2024-12-28T12:00:00.1234569Z', noon + 123_456, true],
    ['2024-12-28T12:00:00.000001+00:00', noon + 1, true],
    ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1) * 1000, true],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29) * 1000, true],
    ['0000-01-01T00:00:00Z', -62_167_219_200_000_000, true],
    ['0099-03-01T00:00:00Z', new Date(0).setUTCFullYear(99, 2, 1) * 1000, true],
  ])('takes %s', (text, micros, utc) => {
    expect(parseInstant(text)).toEqual({ micros, utc });
  });

  it.each([
    '2024-12-28',
    '2024-12-28T12:00Z',
    '2024-12-28T12:00:00',
    '2024-12-28 12:00:00Z',
    '024-12-28T12:00:00Z',
    '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2024-04-31T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-00-01T00:00:00Z',
    '2024-12-00T00:00:00Z',
    '2024-12-28T24:00:00Z',
    '2024-12-28T12:60:00Z',
    '2024-12-28T12:00:61Z',
    '2024-12-28T12:00:00.Z',
    '2024-12-28T12:00:00+24:00',
    '2024-12-28T12:00:00+0000',
    '2024-12-28T12:00:00Z\n',
    '٢٠٢٤-12-28T12:00:00Z',
  ])('refuses %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});
