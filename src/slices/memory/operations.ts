import { captureOperations } from './capture/operations.ts';
import { cleanupOperations } from './cleanup/operations.ts';
import { consentOperations } from './consent/operations.ts';
import { consolidationOperations } from './consolidation/operations.ts';
import { erasureOperations } from './erasure/operations.ts';
import { memoriesOperations } from './memories/operations.ts';
import { profileOperations } from './profiles/operations.ts';
import { proposalOperations } from './proposals/operations.ts';
import { registryOperations } from './registry/operations.ts';
import { transferOperations } from './transfer/operations.ts';
import { webhookOperations } from './webhooks/operations.ts';

export { a2pOperations } from './a2p/operations.ts';

/** Memories for their person, the command line, the dashboard and the tools of agents. */
export const memoryOperations = {
  ...profileOperations,
  ...transferOperations,
  ...proposalOperations,
  ...captureOperations,
  ...cleanupOperations,
  ...memoriesOperations,
  ...consolidationOperations,
  ...consentOperations,
  ...registryOperations,
  ...erasureOperations,
  ...webhookOperations,
};
