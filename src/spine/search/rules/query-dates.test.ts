import { describe, expect, test } from 'vitest';
import { dateShare, periodsIn } from './query-dates.ts';

const micros = (text: string) => Date.parse(text) * 1000;
/** A Wednesday. */
const NOW = micros('2024-05-15T12:00:00Z');
const days = (query: string) =>
  periodsIn(query, NOW).map(({ from, to }) =>
    [from, to].map((instant) => new Date(instant / 1000).toISOString().slice(0, 10)).join(' to '),
  );

describe('the periods that a query names', () => {
  test.each([
    ['what broke on 2024-03-09?', ['2024-03-09 to 2024-03-10']],
    ['what broke on 2024/3/9?', ['2024-03-09 to 2024-03-10']],
    ['the plan of 2023-11', ['2023-11-01 to 2023-12-01']],
    ['dinner on May 3, 2023', ['2023-05-03 to 2023-05-04']],
    ['dinner on 3rd of May 2023', ['2023-05-03 to 2023-05-04']],
    ['in October 2023', ['2023-10-01 to 2023-11-01']],
    ['decided on June 2', ['2023-06-02 to 2023-06-03']],
    ['decided on March 2', ['2024-03-02 to 2024-03-03']],
    ['flights in March and April', ['2024-03-01 to 2024-04-01', '2024-04-01 to 2024-05-01']],
    ['revenue in 2022', ['2022-01-01 to 2023-01-01']],
    ['what did I say yesterday', ['2024-05-14 to 2024-05-15']],
    ['what did I say the day before yesterday', ['2024-05-13 to 2024-05-14']],
    ['two weeks ago', ['2024-04-28 to 2024-05-05']],
    ['a couple of days ago', ['2024-05-13 to 2024-05-14']],
    ['in the past 3 days', ['2024-05-12 to 2024-05-15']],
    ['last week', ['2024-05-06 to 2024-05-13']],
    ['last month', ['2024-04-01 to 2024-05-01']],
    ['last year', ['2023-01-01 to 2024-01-01']],
    ['this month', ['2024-05-01 to 2024-05-15']],
    ['last weekend', ['2024-05-11 to 2024-05-13']],
    ['on Tuesday', ['2024-05-14 to 2024-05-15']],
    ['last Wednesday', ['2024-05-08 to 2024-05-09']],
  ])('%s', (query, expected) => {
    expect(days(query)).toEqual(expected);
  });

  test.each([
    'how many days ago was it',
    'may I march on',
    'version 2.10.3 of the 2024-13-45 build',
    'call 555 1999',
    'the last two of them',
  ])('none in: %s', (query) => {
    expect(days(query)).toEqual([]);
  });
});

describe('the share of a date', () => {
  const [week] = periodsIn('last week', NOW) as [{ from: number; to: number }];

  test('is greatest inside and falls to 0 with distance', () => {
    expect(dateShare(micros('2024-05-08T00:00:00Z'), [week])).toBe(0.4);
    const near = dateShare(micros('2024-05-14T00:00:00Z'), [week]);
    const farther = dateShare(micros('2024-05-20T00:00:00Z'), [week]);
    expect(near).toBeLessThan(0.6 * 0.4);
    expect(near).toBeGreaterThan(farther);
    expect(farther).toBeGreaterThan(0);
    expect(dateShare(micros('2023-01-01T00:00:00Z'), [week])).toBe(0);
  });

  test('is greater for a narrower period', () => {
    const shares = ['on 2024-05-08', 'last week', 'in May 2024', 'in 2024'].map((query) =>
      dateShare(micros('2024-05-08T00:00:00Z'), periodsIn(query, NOW)),
    );
    expect(shares).toEqual([0.55, 0.4, 0.3, 0.15]);
  });

  test('is 0 when no period is named', () => {
    expect(dateShare(NOW, [])).toBe(0);
  });
});
