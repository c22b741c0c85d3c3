import type { Migration } from '../../spine/storage/migration.ts';

export const deliveryMigrations: readonly Migration[] = [
  {
    name: 'delivery/0001-repositories',
    statements: (ddl) => [
      `create table delivery_repositories (
        repository_id ${ddl.text} primary key,
        project_id ${ddl.text} not null,
        root ${ddl.text} not null unique,
        attached_at ${ddl.text} not null,
        attached_us ${ddl.int} not null,
        attached_by ${ddl.text} not null,
        attached_by_type ${ddl.text} not null,
        events_seen ${ddl.int} not null default 0 check (events_seen >= 0)
      ) ${ddl.end}`,
      'create index delivery_repositories_by_project on delivery_repositories (project_id)',
      // What was recorded is recorded once, however often the file is read again.
      `create table delivery_events (
        repository_id ${ddl.text} not null references delivery_repositories (repository_id),
        event_id ${ddl.text} not null,
        primary key (repository_id, event_id)
      ) ${ddl.end}`,
    ],
  },
  {
    // What was recorded can be compared with the files later; events recorded before have no digest.
    name: 'delivery/0002-event-digests',
    statements: (ddl) => [`alter table delivery_events add column digest ${ddl.text}`],
  },
];
