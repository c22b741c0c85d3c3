import type { Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { contextErrors } from '../errors.ts';
import type { StoredFact } from './stored-fact.ts';

/** Clocks differ, but a fact further ahead than this would be current before it is true. */
const SKEW_MICROS = 5 * 60 * 1e6;

export type CurrentFact = Pick<StoredFact, 'factId' | 'value' | 'validFrom' | 'fromMicros'>;

export interface Assertion {
  readonly value: string;
  readonly validFrom?: { readonly text: string; readonly micros: Micros } | undefined;
  /** The value that must be current; null if none may be. */
  readonly expectedValue?: string | null | undefined;
  readonly expectedFactId?: string | null | undefined;
  readonly ifChanged?: boolean | undefined;
}

export type AssertionVerdict =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'assert'; readonly validFrom: string; readonly fromMicros: Micros };

/** Decides whether and when the new fact begins; throws if the caller is wrong about what is current. */
export function judgeAssertion(
  current: CurrentFact | undefined,
  assertion: Assertion,
  now: Micros,
): AssertionVerdict {
  requireExpected(current, assertion);
  if (assertion.ifChanged && current?.value === assertion.value) return { kind: 'unchanged' };
  if (!assertion.validFrom) {
    const micros = Math.max(now, current?.fromMicros ?? now);
    return { kind: 'assert', validFrom: formatMicros(micros), fromMicros: micros };
  }
  const { text, micros } = assertion.validFrom;
  if (micros > now + SKEW_MICROS) {
    throw contextErrors.invalid_schema({
      message: 'A fact cannot begin in the future: it would be current before it is true.',
      pointer: '/valid_from',
    });
  }
  if (current && micros < current.fromMicros) {
    throw contextErrors.temporal_conflict({ pointer: '/valid_from', details: { current: shown(current) } });
  }
  return { kind: 'assert', validFrom: text, fromMicros: micros };
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
