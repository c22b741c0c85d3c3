import { idempotencyMigrations } from '../spine/dispatch/migrations.ts';
import { identityMigrations } from '../spine/identity/migrations.ts';
import { inboxMigrations } from '../spine/inbox/migrations.ts';
import { jobMigrations } from '../spine/jobs/migrations.ts';
import { journalMigrations } from '../spine/journal/migrations.ts';
import { notificationMigrations } from '../spine/notifications/migrations.ts';
import { searchMigrations } from '../spine/search/store/migrations.ts';
import type { Migration } from '../spine/storage/migration.ts';
import { slices } from './slices/index.ts';

/** The whole schema, whatever part of the product a process is; a room's own order is its own. */
export const migrations: readonly Migration[] = [
  ...journalMigrations,
  ...identityMigrations,
  ...jobMigrations,
  ...inboxMigrations,
  ...notificationMigrations,
  ...searchMigrations,
  ...idempotencyMigrations,
  ...slices.flatMap((slice) => slice.migrations),
];
