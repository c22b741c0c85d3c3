import type { Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { contextErrors } from '../errors.ts';
import type { StoredFact } from './stored-fact.ts';
import { contradicted, type Span, type Splice, splice } from './timeline.ts';

export type CurrentFact = Pick<StoredFact, 'factId' | 'value' | 'validFrom' | 'fromMicros'>;

interface Given {
  readonly text: string;
  readonly micros: Micros;
}

export interface Assertion {
  readonly value: string;
  readonly validFrom?: Given | undefined;
  /** It holds until then, and what was believed of that time gives way to it. */
  readonly validTo?: Given | undefined;
  /** The value that must be current; null if none may be. */
  readonly expectedValue?: string | null | undefined;
  readonly expectedFactId?: string | null | undefined;
  readonly ifChanged?: boolean | undefined;
}

export type AssertionVerdict =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'assert'; readonly validFrom: string; readonly splice: Splice };

/**
 * Decides whether and when the new fact holds; throws if the caller is wrong about what is current, or contradicts what came
 * after without saying until when. `spans` are those believed now.
 */
export function judgeAssertion(
  current: CurrentFact | undefined,
  spans: readonly Span[],
  assertion: Assertion,
  now: Micros,
): AssertionVerdict {
  requireExpected(current, assertion);
  const { validFrom, validTo } = assertion;
  for (const [pointer, given] of [
    ['/valid_from', validFrom],
    ['/valid_to', validTo],
  ] as const) {
    if (given && !Number.isSafeInteger(given.micros))
      throw contextErrors.invalid_schema({ message: 'The instant is too far away to be kept.', pointer });
  }
  const later = validFrom !== undefined && validFrom.micros > now;
  if (assertion.ifChanged && !later && !validTo && current?.value === assertion.value)
    return { kind: 'unchanged' };
  const from = validFrom?.micros ?? Math.max(now, current?.fromMicros ?? now);
  if (validTo && validTo.micros <= from) {
    throw contextErrors.invalid_schema({
      message: 'A fact ends after it begins.',
      pointer: '/valid_to',
    });
  }
  if (!validTo && contradicted(spans, from, now)) {
    throw contextErrors.temporal_conflict({
      pointer: '/valid_from',
      details: { current: current ? shown(current) : null },
    });
  }
  return {
    kind: 'assert',
    validFrom: validFrom?.text ?? formatMicros(from),
    splice: splice(spans, { from, to: validTo?.micros }, now),
  };
}

function requireExpected(current: CurrentFact | undefined, assertion: Assertion): void {
  const { expectedValue, expectedFactId } = assertion;
  const valueFits = expectedValue === undefined || expectedValue === (current?.value ?? null);
  const idFits = expectedFactId === undefined || expectedFactId === (current?.factId ?? null);
  if (valueFits && idFits) return;
  throw contextErrors.fact_changed({
    pointer: valueFits ? '/expected_fact_id' : '/expected_value',
    details: { current: current ? shown(current) : null },
  });
}

function shown({ factId, value, validFrom }: CurrentFact) {
  return { fact_id: factId, value, valid_from: validFrom };
}
