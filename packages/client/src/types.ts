import type { z } from 'zod';
import type { Operation, OperationInput } from '../../../src/spine/operations/define.ts';
import type { operations } from './operations.ts';

/*
 * Arguments and results, inferred from the schemas. The published package gets this module generated from the same
 * schemas as plain types (`scripts/client-types.mjs`), so that it needs no zod: keep the exported names in step.
 */

export type Operations = typeof operations;

type Fields<S> = S extends z.ZodType ? z.input<S> : unknown;
type BodyFields<Op, I extends OperationInput> = Op extends { readonly bodyName: infer N extends string }
  ? { readonly [K in N]: Fields<I['body']> }
  : Fields<I['body']>;

/** The arguments of an operation as one object, wherever the wire puts them. */
export type Arguments<Op> = Op extends Operation
  ? Fields<Op['input']['path']> &
      Fields<Op['input']['query']> &
      Fields<Op['input']['headers']> &
      BodyFields<Op, Op['input']>
  : never;

export type Result<Op> = Op extends { readonly output: infer O extends z.ZodType } ? z.output<O> : never;
