import { contextOperations } from '../../src/context/operations.ts';
import { deliveryOperations } from '../../src/delivery/operations.ts';
import { governanceOperations } from '../../src/governance/operations.ts';
import { identityOperations } from '../../src/identity/operations.ts';
import { inboxOperations } from '../../src/inbox/operations.ts';
import { journalOperations } from '../../src/journal/operations.ts';
import { mcpOperations } from '../../src/mcp/operations.ts';
import { a2pOperations, memoryOperations } from '../../src/memory/operations.ts';
import { channelOperations } from '../../src/relay/channel/operations.ts';
import { relayOperations } from '../../src/relay/operations.ts';
import { systemOperations } from '../../src/system/operations.ts';
import { whyOperations } from '../../src/why/operations.ts';

/** Everything a Baton server can be asked, by name. */
export const operations = {
  ...systemOperations,
  ...journalOperations,
  ...identityOperations,
  ...inboxOperations,
  ...mcpOperations,
  ...contextOperations,
  ...governanceOperations,
  ...memoryOperations,
  ...a2pOperations,
  ...deliveryOperations,
  ...relayOperations,
  ...channelOperations,
  ...whyOperations,
};

export type Operations = typeof operations;
