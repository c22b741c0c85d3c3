import type { Migration } from '../storage/migration.ts';

/** What events say, by what they are about: made by a cursor over the journal, so it may be dropped and made again. */
export const whyMigrations: readonly Migration[] = [
  {
    name: 'why/0001-accounts',
    statements: (ddl) => [
      `create table why_cursor (
        id ${ddl.int} primary key check (id = 1),
        leaf ${ddl.int} not null
      ) ${ddl.end}`,
      'insert into why_cursor (id, leaf) values (1, -1)',
      `create table why_accounts (
        leaf ${ddl.int} primary key,
        event_id ${ddl.text} not null unique,
        project_id ${ddl.text} not null,
        actor_id ${ddl.text} not null,
        reading ${ddl.int} not null check (reading in (0, 1)),
        account ${ddl.text} not null
      ) ${ddl.end}`,
      'create index why_readings on why_accounts (project_id, actor_id, leaf) where reading = 1',
      `create table why_things (
        thing_id ${ddl.text} not null,
        kind ${ddl.text} not null,
        project_id ${ddl.text} not null,
        leaf ${ddl.int} not null references why_accounts (leaf),
        primary key (thing_id, kind, project_id, leaf)
      ) ${ddl.end}`,
    ],
  },
  {
    // The same accounts by what they rest on, for the way forwards. Made from the accounts, those from before included.
    name: 'why/0002-causes',
    statements: (ddl) => [
      `create table why_causes_cursor (
        id ${ddl.int} primary key check (id = 1),
        leaf ${ddl.int} not null
      ) ${ddl.end}`,
      'insert into why_causes_cursor (id, leaf) values (1, -1)',
      `create table why_causes (
        source_id ${ddl.text} not null,
        source_kind ${ddl.text} not null,
        project_id ${ddl.text} not null,
        leaf ${ddl.int} not null references why_accounts (leaf),
        role ${ddl.text} not null,
        primary key (source_id, source_kind, project_id, leaf, role)
      ) ${ddl.end}`,
      'create index why_acts on why_accounts (project_id, actor_id, leaf)',
    ],
  },
];
