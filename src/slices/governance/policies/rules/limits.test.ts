import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkBudget, costOf, remainingBudget } from './budget.ts';
import { addDecimals, compareDecimals, decimalOf, formatDecimal, subtractDecimals } from './decimal.ts';
import { checkRate, tightest } from './rate.ts';

const second = 1_000_000;

describe('rate limits', () => {
  it('never let more calls through in any window than allowed, and refuse none without need', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 10 }),
        fc.array(fc.integer({ min: 0, max: 4 * second }), { maxLength: 60 }),
        (maxCalls, windowSeconds, gaps) => {
          let now = 1_700_000_000 * second;
          const accepted: number[] = [];
          for (const gap of gaps) {
            now += gap;
            const live = accepted.filter((at) => at > now - windowSeconds * second).length;
            const rule = { maxCalls, windowSeconds };
            const verdict = checkRate(accepted, rule, now);
            expect(verdict.ok).toBe(live < maxCalls);
            expect(verdict.remaining).toBe(maxCalls - live);
            if (verdict.ok) accepted.push(now);
            else {
              const later = now + verdict.retryAfterSeconds * second;
              expect(checkRate(accepted, rule, later).ok).toBe(true);
              if (verdict.retryAfterSeconds > 1) {
                expect(checkRate(accepted, rule, later - second).ok).toBe(false);
              }
            }
          }
        },
      ),
    );
  });

  it('count a call until exactly one window after it', () => {
    const rule = { maxCalls: 1, windowSeconds: 10 };
    expect(checkRate([0], rule, 10 * second - 1)).toEqual({ ok: false, remaining: 0, retryAfterSeconds: 1 });
    expect(checkRate([0], rule, 10 * second)).toEqual({ ok: true, remaining: 1 });
  });

  it('know which of two limits lets fewer calls through', () => {
    expect(
      tightest([
        { maxCalls: 10, windowSeconds: 60 },
        { maxCalls: 100, windowSeconds: 3600 },
      ]),
    ).toEqual({
      maxCalls: 100,
      windowSeconds: 3600,
    });
  });
});

describe('decimals', () => {
  it('add, subtract and compare as integers of cents would', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (a, b) => {
        const cents = (value: number) => ({ digits: BigInt(value), scale: 2 });
        expect(addDecimals(cents(a), cents(b)).digits).toBe(BigInt(a) + BigInt(b));
        expect(subtractDecimals(cents(a), cents(b)).digits).toBe(BigInt(a) - BigInt(b));
        expect(compareDecimals(cents(a), cents(b))).toBe(Math.sign(a - b));
      }),
    );
  });

  it('do not drift where floating point does', () => {
    const sum = addDecimals(decimalOf(0.1)!, decimalOf(0.2)!);
    expect(formatDecimal(sum)).toBe('0.3');
    expect(formatDecimal(decimalOf('1e3')!)).toBe('1000');
    expect(formatDecimal(decimalOf(-0.5)!)).toBe('-0.5');
    expect(formatDecimal(decimalOf(0)!)).toBe('0');
    expect([decimalOf('abc'), decimalOf(Number.NaN), decimalOf('1e999')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('budgets', () => {
  const rule = {
    limit: decimalOf(1)!,
    unit: 'usd',
    cost: undefined,
    costField: 'cost',
    windowSeconds: 60,
    refundable: false,
  };

  it('spend to the last cent and free what has left the window', () => {
    const charges = [
      { at: 0, amount: decimalOf(0.7)! },
      { at: 10 * second, amount: decimalOf(0.2)! },
    ];
    expect(checkBudget(charges, rule, decimalOf(0.1)!, 20 * second).ok).toBe(true);
    expect(checkBudget(charges, rule, decimalOf(0.2)!, 20 * second)).toMatchObject({
      ok: false,
      retryAfterSeconds: 40,
    });
    expect(formatDecimal(remainingBudget(charges, rule, 60 * second))).toBe('0.8');
  });

  it('take no call whose cost is missing, negative or no number', () => {
    expect([costOf(rule, undefined), costOf(rule, -1), costOf(rule, 'a lot')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(costOf({ ...rule, cost: decimalOf(2)! }, undefined)).toEqual(decimalOf(2));
  });
});
