import type { Migration } from '../storage/migration.ts';

export const journalMigrations: readonly Migration[] = [
  {
    name: 'journal/0001-chains-and-events',
    statements: (ddl) => [
      `create table chains (
        chain_id ${ddl.text} primary key,
        session_id ${ddl.text} not null,
        project_id ${ddl.text} not null,
        kind ${ddl.text} not null check (kind in ('trace', 'ledger')),
        trace_id ${ddl.text} not null,
        next_sequence ${ddl.int} not null check (next_sequence >= 0),
        head_hash ${ddl.text} not null,
        last_time_us ${ddl.int} not null,
        ended ${ddl.int} not null check (ended in (0, 1)),
        pruned_through ${ddl.int} not null check (pruned_through >= -1 and pruned_through < next_sequence),
        unique (session_id, kind)
      ) ${ddl.end}`,
      'create index chains_ended on chains (last_time_us) where ended = 1',
      `create table events (
        seq ${ddl.serial},
        chain_id ${ddl.text} not null references chains (chain_id),
        sequence ${ddl.int} not null check (sequence >= 0),
        event_id ${ddl.text} not null unique,
        event_type ${ddl.text} not null,
        timestamp ${ddl.text} not null,
        time_us ${ddl.int} not null,
        trace_id ${ddl.text} not null,
        span_id ${ddl.text} not null,
        parent_span_id ${ddl.text},
        payload ${ddl.text},
        event_hash ${ddl.text} not null,
        previous_event_hash ${ddl.text} not null,
        project_id ${ddl.text} not null,
        leaf ${ddl.int} unique,
        project_seq ${ddl.int},
        unique (chain_id, sequence),
        unique (project_id, project_seq),
        check ((leaf is null) = (project_seq is null))
      ) ${ddl.end}`,
      'create index events_unnumbered on events (seq) where leaf is null',
    ],
  },
  {
    name: 'journal/0002-numbers-and-tree',
    statements: (ddl) => [
      `create table journal_head (
        id ${ddl.int} primary key check (id = 1),
        store_id ${ddl.text},
        next_leaf ${ddl.int} not null,
        oldest_leaf ${ddl.int} not null
      ) ${ddl.end}`,
      'insert into journal_head (id, store_id, next_leaf, oldest_leaf) values (1, null, 0, 0)',
      `create table journal_projects (
        project_id ${ddl.text} primary key,
        next_seq ${ddl.int} not null,
        oldest_seq ${ddl.int} not null
      ) ${ddl.end}`,
      `create table tree_nodes (
        level ${ddl.int} not null check (level in (8, 16, 24)),
        idx ${ddl.int} not null check (idx >= 0),
        hash ${ddl.text} not null,
        primary key (level, idx)
      ) ${ddl.end}`,
      `create table checkpoints (
        size ${ddl.int} primary key check (size >= 0),
        root ${ddl.text} not null,
        note ${ddl.text} not null,
        created_at ${ddl.text} not null
      ) ${ddl.end}`,
    ],
  },
  {
    // What was signed last, and by which event retention was recorded: neither can then be undone unseen.
    name: 'journal/0003-signed-and-pruned-on-record',
    statements: (ddl) => [
      `alter table journal_head add column signed_size ${ddl.int} not null default 0`,
      'update journal_head set signed_size = coalesce((select max(size) from checkpoints), 0)',
      `alter table chains add column pruned_by ${ddl.text}`,
    ],
  },
  {
    // Chains that record the rows which commits changed: one per project, and on PostgreSQL per commit at a time.
    name: 'journal/0004-state',
    statements: (ddl) => [
      `create table state_chains (
        project_id ${ddl.text} not null,
        lane ${ddl.int} not null check (lane >= 0),
        chain_id ${ddl.text} not null unique references chains (chain_id),
        primary key (project_id, lane)
      ) ${ddl.end}`,
      `create table state_adoptions (
        table_name ${ddl.text} primary key,
        after_key ${ddl.text},
        complete ${ddl.int} not null check (complete in (0, 1))
      ) ${ddl.end}`,
    ],
  },
  {
    name: 'journal/0004-witnesses',
    statements: (ddl) => [
      `create table cosignatures (
        size ${ddl.int} not null,
        witness ${ddl.text} not null,
        line ${ddl.text} not null,
        time_s ${ddl.int} not null check (time_s >= 0),
        primary key (size, witness)
      ) ${ddl.end}`,
      // How far each witness has come, and what became of the last request: nothing is proved by it.
      `create table witnesses (
        name ${ddl.text} primary key,
        cosigned_size ${ddl.int} not null check (cosigned_size >= 0),
        tried_us ${ddl.int} not null,
        failures ${ddl.int} not null check (failures >= 0),
        error ${ddl.text}
      ) ${ddl.end}`,
    ],
  },
  {
    // How far rows that a step of the schema changed have been recorded anew.
    name: 'journal/0005-rewrites',
    statements: (ddl) => [
      `create table state_rewrites (
        step ${ddl.text} not null,
        table_name ${ddl.text} not null,
        after_key ${ddl.text},
        complete ${ddl.int} not null check (complete in (0, 1)),
        primary key (step, table_name)
      ) ${ddl.end}`,
    ],
  },
  {
    // Several events in one row: see events/event-run.ts.
    name: 'journal/0006-runs',
    statements: (ddl) => [
      `alter table events add column run_length ${ddl.int} check (run_length >= 2)`,
      `alter table events add column run_hashes ${ddl.text}
         check (coalesce(length(run_hashes), 0) = 64 * (coalesce(run_length, 1) - 1))`,
    ],
  },
  {
    // What was decided about calls is looked for by itself, and may be a handful among a hundred thousand deposits.
    name: 'journal/0007-decisions',
    statements: () => [
      `create index events_deciding on events (project_id, project_seq) where event_type in ('policy.evaluated',
         'action.approved', 'action.denied', 'action.executed', 'action.failed', 'carp.refused')`,
    ],
  },
];
