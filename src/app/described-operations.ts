import { operations } from '../../packages/client/src/operations.ts';
import { type DescribedOperation, describeOperation } from '../faces/http/openapi.ts';
import type { Operation } from '../spine/operations/define.ts';

/** All operations as `/openapi.json` describes them, by name. The build puts the value here (`scripts/evaluated.mjs`). */
export const describedOperations: Readonly<Record<string, DescribedOperation | undefined>> =
  Object.fromEntries(
    Object.entries(operations as Record<string, Operation>).map(([name, operation]) => [
      name,
      describeOperation(operation),
    ]),
  );
