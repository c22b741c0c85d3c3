import type { LooseRecord } from '../../kernel/json/loose.ts';

/** Why a rule refuses. `type` is the error type on the wire; `next` says what to do. */
export interface Refusal {
  readonly type: string;
  readonly rule: string;
  readonly message: string;
  readonly next: string;
  /** The offending field as a dotted path, where there is one. */
  readonly field?: string;
  readonly details?: LooseRecord;
}

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal };

export function done<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function refuse(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal };
}

/** The refusal for anything that the run's status does not allow. */
export function illegalTransition(rule: string, message: string, next: string, field?: string) {
  return refuse({
    type: 'invalid_state_transition',
    rule,
    message,
    next,
    ...(field === undefined ? {} : { field }),
  });
}
