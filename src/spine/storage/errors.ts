import { defineErrors } from '../../kernel/error.ts';

export const storageErrors = defineErrors({
  storage_locked: {
    status: 503,
    message: 'Another process keeps the data file locked.',
    next: 'Try again in a moment; if it persists, stop the program that has the file open for writing.',
    retryable: true,
  },
  storage_unavailable: {
    status: 503,
    message: 'The store cannot handle this request right now.',
    next: 'Check disk space, file permissions and, with PostgreSQL, that the server is reachable; then try again.',
    retryable: true,
  },
  storage_displaced: {
    status: 503,
    message: 'The data file or its write-ahead log is not the one that was opened.',
    next: 'Stop every process that uses the store, see what moved or deleted its files, restore them or a backup, run `baton journal verify`, and start again.',
  },
  storage_newer: {
    status: 500,
    message: 'The store was written by a newer version of Baton.',
    next: 'Run the newer version, or restore a backup made by this one.',
  },
  storage_changed: {
    status: 500,
    message: 'A released schema step differs from the one this store was created with.',
    next: 'Run the version of Baton that created the store; if you build from source, put the change in a new step.',
  },
  storage_moved: {
    status: 410,
    message: 'This store has moved to another database.',
    next: 'Set BATON_DATABASE_URL to where it went. To go back, run `baton migrate --to` from there.',
  },
  storage_arriving: {
    status: 409,
    message: 'A migration into this database was begun and is not finished.',
    next: 'Run the same `baton migrate --to` again: it goes on where it was interrupted.',
  },
  migration_refused: {
    status: 409,
    message: 'The store was not moved.',
    next: 'Name a database that does not exist yet, or that is empty.',
  },
  migration_differs: {
    status: 422,
    message: 'The copy is not the same as the store, which is left as it is.',
    next: 'Run `baton journal verify` on the store; then empty the target and run the migration again.',
  },
  storage_unsupported: {
    status: 500,
    message: 'This store cannot be used.',
    next: 'See the message for what is required.',
  },
  storage_closed: {
    status: 503,
    message: 'The store is closed.',
    next: 'Start the server again.',
    retryable: true,
  },
  unit_stalled: {
    status: 500,
    message: 'A unit of work waited for something other than the store.',
    next: 'Report this as a bug: slow work belongs before or after the unit.',
  },
  value_not_storable: {
    status: 400,
    message: 'A value cannot be stored.',
    next: 'Send well-formed Unicode text without U+0000, and numbers that a double holds exactly.',
  },
  backup_refused: {
    status: 409,
    message: 'The backup was not created.',
    next: 'Name a file that does not exist yet, in a folder that does.',
  },
});
