import type { Migration } from '../storage/migration.ts';

export const jobMigrations: readonly Migration[] = [
  {
    name: 'jobs/0001-jobs',
    statements: (ddl) => [
      `create table jobs (
        seq ${ddl.serial},
        job_id ${ddl.text} not null unique,
        kind ${ddl.text} not null,
        job_key ${ddl.text} not null,
        project_id ${ddl.text},
        payload ${ddl.text} not null,
        state ${ddl.text} not null check (state in ('queued', 'running', 'done', 'failed', 'outcome_unknown')),
        due_us ${ddl.int} not null,
        attempts ${ddl.int} not null check (attempts >= 0),
        max_attempts ${ddl.int} not null check (max_attempts >= 1),
        fence ${ddl.int} not null,
        lease_owner ${ddl.text},
        lease_until_us ${ddl.int},
        last_error ${ddl.text},
        created_us ${ddl.int} not null,
        finished_us ${ddl.int},
        check ((state = 'running') = (lease_owner is not null)),
        check ((state = 'running') = (lease_until_us is not null))
      ) ${ddl.end}`,
      `create unique index jobs_one_unfinished on jobs (kind, job_key)
        where state in ('queued', 'running', 'outcome_unknown')`,
      "create index jobs_due on jobs (due_us, seq) where state = 'queued'",
      "create index jobs_leased on jobs (lease_until_us) where state = 'running'",
      'create index jobs_finished on jobs (finished_us) where finished_us is not null',
    ],
  },
];
