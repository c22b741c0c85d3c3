import type { Migration } from '../storage/migration.ts';

export const idempotencyMigrations: readonly Migration[] = [
  {
    name: 'dispatch/0001-idempotency',
    statements: (ddl) => [
      `create table idempotency (
        scope ${ddl.text} not null,
        idempotency_key ${ddl.text} not null,
        request_digest ${ddl.text} not null,
        status ${ddl.int} not null,
        headers ${ddl.text} not null,
        body ${ddl.text} not null,
        created_us ${ddl.int} not null,
        primary key (scope, idempotency_key)
      ) ${ddl.end}`,
      'create index idempotency_age on idempotency (created_us)',
    ],
  },
  {
    name: 'dispatch/0002-running-requests',
    statements: (ddl) => [
      `alter table idempotency add column holder ${ddl.text}`,
      `alter table idempotency add column lease_until_us ${ddl.int}`,
      `alter table idempotency add column forgotten ${ddl.text}`,
      'create index idempotency_running on idempotency (lease_until_us) where holder is not null',
    ],
  },
];
