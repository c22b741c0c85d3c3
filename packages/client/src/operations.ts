import { mcpOperations } from '../../../src/faces/mcp/operations.ts';
import { agentsOperations } from '../../../src/slices/agents/operations.ts';
import { contextOperations } from '../../../src/slices/context/operations.ts';
import { deliveryOperations } from '../../../src/slices/delivery/operations.ts';
import { governanceOperations } from '../../../src/slices/governance/operations.ts';
import { a2pOperations, memoryOperations } from '../../../src/slices/memory/operations.ts';
import { relayOperations } from '../../../src/slices/relay/operations.ts';
import { invitationOperations } from '../../../src/spine/identity/invitations/operations.ts';
import { oauthOperations } from '../../../src/spine/identity/oauth/operations.ts';
import { identityOperations } from '../../../src/spine/identity/operations.ts';
import { inboxOperations } from '../../../src/spine/inbox/operations.ts';
import { journalOperations } from '../../../src/spine/journal/operations.ts';
import { notificationOperations } from '../../../src/spine/notifications/operations.ts';
import { systemOperations } from '../../../src/spine/system/operations.ts';
import { whyOperations } from '../../../src/spine/why/operations.ts';

/** Everything a Baton server can be asked, by name, with its schemas. */
export const operations = {
  ...systemOperations,
  ...journalOperations,
  ...identityOperations,
  ...invitationOperations,
  ...oauthOperations,
  ...inboxOperations,
  ...notificationOperations,
  ...mcpOperations,
  ...contextOperations,
  ...governanceOperations,
  ...memoryOperations,
  ...a2pOperations,
  ...deliveryOperations,
  ...relayOperations,
  ...agentsOperations,
  ...whyOperations,
};
