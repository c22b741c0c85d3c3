import type { Migration } from '../../spine/storage/migration.ts';

export const agentsMigrations: readonly Migration[] = [
  {
    name: 'agents/0001-sessions-and-calls',
    statements: (ddl) => [
      `create table agent_sessions (
        project_id ${ddl.text} not null references projects (project_id),
        client ${ddl.text} not null,
        client_session ${ddl.text} not null,
        session_id ${ddl.text} not null unique,
        parent_session_id ${ddl.text},
        root ${ddl.text} not null,
        started_us ${ddl.int} not null,
        last_us ${ddl.int} not null,
        ended ${ddl.int} not null default 0 check (ended in (0, 1)),
        times ${ddl.int} not null default 1,
        head_package ${ddl.text},
        covered_us ${ddl.int} not null default 0,
        told_us ${ddl.int} not null default 0,
        deposits ${ddl.int} not null default 0,
        primary key (project_id, client, client_session)
      ) ${ddl.end}`,
      'create index agent_sessions_live on agent_sessions (project_id, last_us desc) where ended = 0',
      'create index agent_sessions_below on agent_sessions (parent_session_id) where parent_session_id is not null',
      `create table agent_files (
        session_id ${ddl.text} not null,
        path ${ddl.text} not null,
        project_id ${ddl.text} not null,
        last_us ${ddl.int} not null,
        primary key (session_id, path)
      ) ${ddl.end}`,
      'create index agent_files_by_path on agent_files (project_id, path, last_us desc)',
      'create index agent_files_age on agent_files (last_us)',
      `create table agent_activity (
        seq ${ddl.serial},
        session_id ${ddl.text} not null,
        call_key ${ddl.text} not null,
        kind ${ddl.text} not null check (kind in ('prompt', 'command', 'file', 'tool', 'message', 'told')),
        at_us ${ddl.int} not null,
        text ${ddl.text} not null,
        ok ${ddl.int} check (ok in (0, 1)),
        detail ${ddl.text},
        span_id ${ddl.text},
        unique (session_id, kind, call_key)
      ) ${ddl.end}`,
      'create index agent_activity_by_session on agent_activity (session_id, seq)',
      'create index agent_activity_age on agent_activity (at_us)',
      `create table agent_decisions (
        decision_id ${ddl.text} primary key,
        project_id ${ddl.text} not null,
        session_id ${ddl.text} not null,
        call_key ${ddl.text} not null,
        at ${ddl.text} not null,
        at_us ${ddl.int} not null,
        tool ${ddl.text} not null,
        action_id ${ddl.text} not null,
        effect ${ddl.text} not null check (effect in ('allow', 'deny', 'ask')),
        verdict ${ddl.text} not null check (verdict in ('deny', 'ask')),
        policy_id ${ddl.text} not null,
        atlas_id ${ddl.text} not null,
        atlas_version ${ddl.text} not null,
        reason ${ddl.text} not null,
        shown ${ddl.text} not null,
        asked_in ${ddl.text} check (asked_in in ('client', 'inbox')),
        ran ${ddl.int} check (ran in (0, 1))
      ) ${ddl.end}`,
      'create index agent_decisions_by_time on agent_decisions (project_id, at_us desc, decision_id)',
      'create index agent_decisions_by_call on agent_decisions (session_id, call_key)',
    ],
  },
  {
    name: 'agents/0002-transcripts',
    statements: (ddl) => [
      `create table agent_transcripts (
        project_id ${ddl.text} not null references projects (project_id),
        client ${ddl.text} not null,
        transcript ${ddl.text} not null,
        digest ${ddl.text} not null,
        package_id ${ddl.text} not null,
        primary key (project_id, client, transcript)
      ) ${ddl.end}`,
    ],
  },
];
