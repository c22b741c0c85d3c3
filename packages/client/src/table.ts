import { callable } from '../../../src/spine/operations/callable.ts';
import type { CallableOperation } from '../../../src/spine/operations/flat-input.ts';
import { operations as declared } from './operations.ts';
import type { Operations } from './types.ts';

export type { CallableOperation };

/**
 * Everything a Baton server can be asked, by name: what it takes to send a request, without the schemas, which only
 * the server checks. Builds put the value in the place of this module (`scripts/evaluated.mjs`), so that whoever
 * calls a server loads neither zod nor the declarations.
 */
export const operations = Object.fromEntries(
  Object.entries(declared).map(([name, operation]) => [name, callable(operation)]),
) as Readonly<Record<keyof Operations, CallableOperation>>;
