import { describe, expect, it } from 'vitest';
import { durationSeconds, purposeType, readPurpose } from './purpose.ts';

describe('a purpose', () => {
  it('in one word rests on consent', () => {
    expect(readPurpose('research')).toEqual({ type: 'research', description: '', legalBasis: 'consent' });
    expect(purposeType('support')).toBe('service_delivery');
    expect(purposeType('world domination')).toBe('other');
  });

  it('shares and decides only where it says so', () => {
    const given = readPurpose({
      sharing: { thirdParties: true },
      automated: { decisionMaking: true, profiling: false },
    });
    expect(given).toMatchObject({ thirdParties: true, automatedDecisions: true, profiling: false });
    expect(readPurpose({ sharing: {}, automated: {} })).toMatchObject({
      thirdParties: false,
      automatedDecisions: false,
      profiling: false,
    });
    expect(readPurpose({})).not.toHaveProperty('thirdParties');
  });

  it('needs a legal basis that exists', () => {
    expect(() => readPurpose({ legalBasis: 'curiosity' })).toThrow(
      expect.objectContaining({ code: 'A2P006' }),
    );
  });
});

describe('a duration', () => {
  it.each([
    ['session_only', 0],
    ['indefinite', Number.POSITIVE_INFINITY],
    ['30d', 2_592_000],
    ['24 hours', 86_400],
    ['1 year', 31_536_000],
    ['P30D', 2_592_000],
    ['P1Y2W', 32_745_600],
    ['PT1H2M3S', 3_723],
    ['P', undefined],
    ['PT', undefined],
    ['soon', undefined],
    ['30x', undefined],
  ])('of %s is %s seconds', (text, seconds) => {
    expect(durationSeconds(text)).toBe(seconds);
  });
});
