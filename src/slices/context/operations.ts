/** Every operation of the Agentic Protocol's slice. */
import { attestOperations } from './attest/operations.ts';
import { blobOperations } from './blobs/operations.ts';
import { cleanupOperations } from './cleanup/operations.ts';
import { descriptorOperations } from './descriptor/operations.ts';
import { factOperations } from './facts/operations.ts';
import { feedOperations } from './feed/operations.ts';
import { orientOperations } from './orient/operations.ts';
import { packageOperations } from './packages/operations.ts';
import { projectOperations } from './projects/operations.ts';
import { questionOperations } from './questions/operations.ts';
import { reviewOperations } from './review/operations.ts';
import { transferOperations } from './transfer/operations.ts';

export const contextOperations = {
  ...descriptorOperations,
  ...packageOperations,
  ...factOperations,
  ...projectOperations,
  ...questionOperations,
  ...reviewOperations,
  ...orientOperations,
  ...feedOperations,
  ...blobOperations,
  ...attestOperations,
  ...transferOperations,
  ...cleanupOperations,
};
