/** Everything that the Agentic Protocol's slice can be asked. */
import { factOperations } from './facts/operations.ts';
import { packageOperations } from './packages/operations.ts';
import { projectOperations } from './projects/operations.ts';
import { reviewOperations } from './review/operations.ts';

export const contextOperations = {
  ...packageOperations,
  ...factOperations,
  ...projectOperations,
  ...reviewOperations,
};
