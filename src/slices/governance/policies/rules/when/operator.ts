import type { Outcome } from './outcome.ts';
import type { Surroundings } from './surroundings.ts';
import type { TYPE_NAMES } from './values.ts';

export type Check = (value: unknown, around: Surroundings) => Outcome;

/** One word of `when`: what it compares, what it is given, and how the reference describes it. */
export interface Operator {
  /** The kinds of values that it can judge; undefined where it can judge any. */
  readonly judges?: readonly (typeof TYPE_NAMES)[number][];
  readonly operand: Operand;
  readonly summary: string;
  readonly example: unknown;
  /** The check, or what is wrong with the operand. */
  make(operand: unknown): Check | string;
}

/** The kinds of operands there are; the JSON Schema for editors is made from them. */
export type Operand =
  | 'any'
  | 'number'
  | 'list'
  | 'text'
  | 'texts'
  | 'boolean'
  | 'type'
  | 'path'
  | 'moment'
  | 'period'
  | 'fact';
