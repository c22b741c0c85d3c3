import { agentsTables } from '../slices/agents/tables.ts';
import { contextTables } from '../slices/context/tables.ts';
import { deliveryTables } from '../slices/delivery/tables.ts';
import { governanceTables } from '../slices/governance/tables.ts';
import { memoryTables } from '../slices/memory/tables.ts';
import { relayTables } from '../slices/relay/tables.ts';
import { dispatchTables } from '../spine/dispatch/tables.ts';
import { identityTables } from '../spine/identity/tables.ts';
import { inboxTables } from '../spine/inbox/tables.ts';
import { jobTables } from '../spine/jobs/tables.ts';
import { journalTables } from '../spine/journal/tables.ts';
import { notificationTables } from '../spine/notifications/tables.ts';
import { searchTables } from '../spine/search/tables.ts';
import type { TableDeclarations } from '../spine/storage/tables.ts';
import { whyTables } from '../spine/why/tables.ts';

/** What the proof says of every table, whatever part of the product a process is. */
export const tables: TableDeclarations = {
  ...journalTables,
  ...identityTables,
  ...jobTables,
  ...inboxTables,
  ...notificationTables,
  ...searchTables,
  ...dispatchTables,
  ...whyTables,
  ...contextTables,
  ...governanceTables,
  ...memoryTables,
  ...deliveryTables,
  ...relayTables,
  ...agentsTables,
};
