import type { Migration } from '../spine/storage/migration.ts';
import { roomMigrations } from './rooms.ts';
import { slices } from './slices/index.ts';

/** The whole schema, whatever part of the product a process is. */
export const migrations: readonly Migration[] = [
  ...roomMigrations,
  ...slices.flatMap((slice) => slice.migrations),
];
