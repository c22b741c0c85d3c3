import type { Migration } from '../../spine/storage/migration.ts';

export const relayMigrations: readonly Migration[] = [
  {
    name: 'relay/0001-spans',
    statements: (ddl) => [
      `create table relay_origins (
        origin_id ${ddl.text} primary key,
        resource ${ddl.text} not null,
        scope ${ddl.text} not null,
        service_name ${ddl.text} not null
      ) ${ddl.end}`,
      `create table relay_spans (
        seq ${ddl.serial},
        project_id ${ddl.text} not null,
        trace_id ${ddl.text} not null,
        span_id ${ddl.text} not null,
        parent_span_id ${ddl.text},
        origin_id ${ddl.text} not null references relay_origins (origin_id),
        name ${ddl.text} not null,
        start_us ${ddl.int} not null,
        end_us ${ddl.int} not null,
        status ${ddl.int} not null check (status in (0, 1, 2)),
        session_id ${ddl.text},
        agent_id ${ddl.text},
        node_id ${ddl.text},
        node_parent_id ${ddl.text},
        task_id ${ddl.text},
        body ${ddl.text} not null,
        stored_us ${ddl.int} not null,
        unique (project_id, trace_id, span_id)
      ) ${ddl.end}`,
      'create index relay_spans_session on relay_spans (project_id, session_id, start_us)',
      'create index relay_spans_recent on relay_spans (project_id, start_us)',
      'create index relay_spans_age on relay_spans (stored_us)',
      `create table relay_open_spans (
        span_id ${ddl.text} primary key,
        project_id ${ddl.text} not null,
        instance_id ${ddl.text} not null,
        body ${ddl.text} not null,
        opened_us ${ddl.int} not null
      ) ${ddl.end}`,
      'create index relay_open_spans_instance on relay_open_spans (instance_id)',
      `create table relay_instances (
        instance_id ${ddl.text} primary key,
        host ${ddl.text} not null,
        pid ${ddl.int} not null,
        seen_us ${ddl.int} not null
      ) ${ddl.end}`,
      `create table relay_spool (
        seq ${ddl.serial},
        span_seq ${ddl.int} not null,
        claimed_us ${ddl.int}
      ) ${ddl.end}`,
      `create table relay_counters (
        name ${ddl.text} primary key,
        value ${ddl.int} not null
      ) ${ddl.end}`,
    ],
  },
  {
    name: 'relay/0002-peers',
    statements: (ddl) => [
      `create table relay_peers (
        project_id ${ddl.text} not null,
        peer_id ${ddl.text} not null,
        url ${ddl.text} not null,
        settings ${ddl.text} not null,
        source ${ddl.text} not null check (source in ('setting', 'call')),
        created_us ${ddl.int} not null,
        primary key (project_id, peer_id)
      ) ${ddl.end}`,
      `create table relay_tasks (
        project_id ${ddl.text} not null,
        task_id ${ddl.text} not null,
        peer_id ${ddl.text} not null,
        context_id ${ddl.text},
        state ${ddl.text} not null,
        trace_id ${ddl.text} not null,
        span_id ${ddl.text} not null,
        caller ${ddl.text} not null,
        opened_us ${ddl.int} not null,
        updated_us ${ddl.int} not null,
        primary key (project_id, task_id, peer_id)
      ) ${ddl.end}`,
      'create index relay_tasks_recent on relay_tasks (project_id, updated_us)',
      'create index relay_tasks_age on relay_tasks (updated_us)',
      `create table relay_push_targets (
        target_id ${ddl.text} primary key,
        project_id ${ddl.text} not null,
        peer_id ${ddl.text} not null,
        url ${ddl.text} not null,
        token ${ddl.text},
        authentication ${ddl.text},
        traceparent ${ddl.text},
        created_us ${ddl.int} not null
      ) ${ddl.end}`,
    ],
  },
  {
    name: 'relay/0003-channels',
    statements: (ddl) => [
      `create table agent_channels (
        id ${ddl.text} primary key,
        project_id ${ddl.text} not null,
        title ${ddl.text} not null,
        created_by ${ddl.text} not null,
        created_at ${ddl.text} not null,
        created_us ${ddl.int} not null,
        closed_at ${ddl.text},
        last_seq ${ddl.int} not null,
        state_seq ${ddl.int} not null,
        spec_seq ${ddl.int} not null
      ) ${ddl.end}`,
      'create index agent_channels_recent on agent_channels (project_id, created_us)',
      `create table agent_channel_events (
        channel_id ${ddl.text} not null references agent_channels (id),
        seq ${ddl.int} not null,
        kind ${ddl.text} not null,
        author ${ddl.text} not null,
        posted_by ${ddl.text} not null,
        payload ${ddl.text} not null,
        trace_id ${ddl.text},
        span_id ${ddl.text},
        created_at ${ddl.text} not null,
        created_us ${ddl.int} not null,
        primary key (channel_id, seq)
      ) ${ddl.end}`,
      'create index agent_channel_events_kind on agent_channel_events (channel_id, kind, seq)',
      `create table agent_channel_leases (
        channel_id ${ddl.text} not null references agent_channels (id),
        name ${ddl.text} not null,
        holder ${ddl.text} not null,
        fencing_token ${ddl.int} not null,
        expires_us ${ddl.int} not null,
        primary key (channel_id, name)
      ) ${ddl.end}`,
      `create table agent_channel_cursors (
        channel_id ${ddl.text} not null references agent_channels (id),
        agent ${ddl.text} not null,
        delivered_seq ${ddl.int} not null,
        read_seq ${ddl.int} not null,
        updated_us ${ddl.int} not null,
        primary key (channel_id, agent),
        check (read_seq <= delivered_seq)
      ) ${ddl.end}`,
    ],
  },
  {
    name: 'relay/0004-push',
    statements: (ddl) => [
      'drop table relay_push_targets',
      `create table relay_push_configs (
        callback_key ${ddl.text} primary key,
        project_id ${ddl.text} not null,
        peer_id ${ddl.text} not null,
        task_id ${ddl.text},
        config_id ${ddl.text},
        context_id ${ddl.text},
        version ${ddl.text} not null check (version in ('0.3', '1.0')),
        settings ${ddl.text} not null,
        peer_token ${ddl.text} not null,
        traceparent ${ddl.text} not null,
        created_us ${ddl.int} not null
      ) ${ddl.end}`,
      'create index relay_push_configs_task on relay_push_configs (project_id, peer_id, task_id)',
      'create index relay_push_configs_age on relay_push_configs (created_us)',
      `create table relay_push_deliveries (
        delivery_id ${ddl.text} primary key,
        callback_key ${ddl.text} not null references relay_push_configs (callback_key) on delete cascade,
        body ${ddl.text} not null,
        state ${ddl.text} not null check (state in ('waiting', 'delivered', 'dead')),
        created_us ${ddl.int} not null
      ) ${ddl.end}`,
      'create index relay_push_deliveries_config on relay_push_deliveries (callback_key)',
    ],
  },
  {
    name: 'relay/0020-collector',
    statements: (ddl) => [
      // What was stored and is not yet summed up: a list of spans, or all between two.
      `create table relay_arrivals (
        id ${ddl.serial},
        seqs ${ddl.text},
        first_seq ${ddl.int},
        last_seq ${ddl.int},
        check ((seqs is null) = (first_seq is not null and last_seq is not null))
      ) ${ddl.end}`,
      `insert into relay_arrivals (first_seq, last_seq)
        select min(seq), max(seq) from relay_spans having count(*) > 0`,
      `create table relay_traces (
        project_id ${ddl.text} not null,
        trace_id ${ddl.text} not null,
        name ${ddl.text} not null,
        root_span_id ${ddl.text},
        service ${ddl.text} not null,
        session_id ${ddl.text},
        spans ${ddl.int} not null,
        errors ${ddl.int} not null,
        start_us ${ddl.int} not null,
        end_us ${ddl.int} not null,
        last_seq ${ddl.int} not null,
        primary key (project_id, trace_id)
      ) ${ddl.end}`,
      'create index relay_traces_recent on relay_traces (project_id, start_us, trace_id)',
      'create index relay_traces_failed on relay_traces (project_id, start_us, trace_id) where errors > 0',
      'create index relay_traces_alone on relay_traces (project_id, start_us, trace_id) where session_id is null',
      'create index relay_traces_last on relay_traces (last_seq)',
      `create table relay_sessions (
        project_id ${ddl.text} not null,
        session_id ${ddl.text} not null,
        first_us ${ddl.int} not null,
        last_us ${ddl.int} not null,
        primary key (project_id, session_id)
      ) ${ddl.end}`,
      'create index relay_sessions_recent on relay_sessions (project_id, last_us, session_id)',
      `create table relay_session_traces (
        project_id ${ddl.text} not null,
        session_id ${ddl.text} not null,
        trace_id ${ddl.text} not null,
        primary key (project_id, session_id, trace_id)
      ) ${ddl.end}`,
      'create index relay_session_traces_trace on relay_session_traces (project_id, trace_id)',
      `create table relay_calls (
        seq ${ddl.int} primary key,
        project_id ${ddl.text} not null,
        trace_id ${ddl.text} not null,
        kind ${ddl.text} not null,
        model ${ddl.text},
        tool ${ddl.text},
        start_us ${ddl.int} not null,
        input_tokens ${ddl.int} not null,
        output_tokens ${ddl.int} not null,
        cache_read_tokens ${ddl.int} not null,
        cache_write_tokens ${ddl.int} not null,
        cost_micros ${ddl.int}
      ) ${ddl.end}`,
      'create index relay_calls_trace on relay_calls (project_id, trace_id)',
      'create index relay_calls_kind on relay_calls (project_id, kind, seq)',
      'create index relay_calls_model on relay_calls (project_id, model, seq) where model is not null',
      'create index relay_calls_tool on relay_calls (project_id, tool, seq) where tool is not null',
      `create table relay_rollups (
        project_id ${ddl.text} not null,
        grain_s ${ddl.int} not null check (grain_s in (3600, 86400)),
        bucket_us ${ddl.int} not null,
        kind ${ddl.text} not null,
        agent ${ddl.text} not null,
        caller ${ddl.text} not null,
        node ${ddl.text} not null,
        model ${ddl.text} not null,
        tool ${ddl.text} not null,
        costed ${ddl.int} not null check (costed in (0, 1)),
        spans ${ddl.int} not null,
        errors ${ddl.int} not null,
        duration_us ${ddl.int} not null,
        durations ${ddl.text} not null,
        input_tokens ${ddl.int} not null,
        output_tokens ${ddl.int} not null,
        cache_read_tokens ${ddl.int} not null,
        cache_write_tokens ${ddl.int} not null,
        cost_micros ${ddl.int} not null,
        primary key (project_id, grain_s, bucket_us, kind, agent, caller, node, model, tool, costed)
      ) ${ddl.end}`,
      'create index relay_rollups_age on relay_rollups (grain_s, bucket_us)',
      `create table relay_texts (
        seq ${ddl.int} primary key,
        indexed ${ddl.int} not null check (indexed in (0, 1))
      ) ${ddl.end}`,
      'create index relay_texts_waiting on relay_texts (seq) where indexed = 0',
      'create index relay_spans_failed on relay_spans (project_id, seq) where status = 2',
      'create index relay_spans_agent on relay_spans (project_id, agent_id, seq)',
      'create index relay_spans_id on relay_spans (span_id)',
      `create table relay_prices (
        project_id ${ddl.text} not null,
        model ${ddl.text} not null,
        from_us ${ddl.int} not null,
        input_per_million ${ddl.real} not null check (input_per_million >= 0),
        output_per_million ${ddl.real} not null check (output_per_million >= 0),
        cache_read_per_million ${ddl.real} check (cache_read_per_million >= 0),
        cache_write_per_million ${ddl.real} check (cache_write_per_million >= 0),
        set_by ${ddl.text} not null,
        primary key (project_id, model, from_us)
      ) ${ddl.end}`,
      `create table relay_annotations (
        annotation_id ${ddl.text} primary key,
        project_id ${ddl.text} not null,
        trace_id ${ddl.text} not null,
        span_id ${ddl.text},
        name ${ddl.text} not null,
        label ${ddl.text},
        score ${ddl.real},
        note ${ddl.text},
        made_by ${ddl.text} not null,
        created_us ${ddl.int} not null,
        check (label is not null or score is not null or note is not null)
      ) ${ddl.end}`,
      'create index relay_annotations_trace on relay_annotations (project_id, trace_id, created_us)',
      `create table relay_session_metrics (
        project_id ${ddl.text} not null,
        session_id ${ddl.text} not null,
        client ${ddl.text} not null,
        metric ${ddl.text} not null,
        series ${ddl.text} not null,
        value ${ddl.real} not null,
        last_us ${ddl.int} not null,
        primary key (project_id, session_id, metric, series)
      ) ${ddl.end}`,
      'create index relay_session_metrics_age on relay_session_metrics (last_us)',
    ],
  },
  {
    name: 'relay/0030-peers-as-run',
    statements: (ddl) => [
      `create table relay_peer_credentials (
        project_id ${ddl.text} not null,
        peer_id ${ddl.text} not null,
        type ${ddl.text} not null check (type in ('bearer', 'api_key', 'oauth2', 'mtls')),
        sealed ${ddl.text} not null,
        set_us ${ddl.int} not null,
        set_by ${ddl.text} not null,
        primary key (project_id, peer_id)
      ) ${ddl.end}`,
      `create table relay_cards (
        project_id ${ddl.text} not null,
        peer_id ${ddl.text} not null,
        number ${ddl.int} not null check (number > 0),
        digest ${ddl.text} not null,
        card ${ddl.text} not null,
        state ${ddl.text} not null check (state in ('accepted', 'waiting', 'refused', 'superseded')),
        item_id ${ddl.text} unique,
        seen_us ${ddl.int} not null,
        check (state <> 'waiting' or item_id is not null),
        primary key (project_id, peer_id, number)
      ) ${ddl.end}`,
      `create unique index relay_cards_waiting on relay_cards (project_id, peer_id) where state = 'waiting'`,
    ],
  },
  {
    name: 'relay/0040-replays',
    statements: (ddl) => [
      `create table relay_replays (
        replay_id ${ddl.text} primary key,
        project_id ${ddl.text} not null,
        source_kind ${ddl.text} not null check (source_kind in ('trace', 'session')),
        source_id ${ddl.text} not null,
        state ${ddl.text} not null check (state in ('running', 'ended', 'stopped', 'interrupted')),
        why ${ddl.text},
        made_by ${ddl.text} not null,
        created_us ${ddl.int} not null,
        seen_us ${ddl.int} not null,
        ended_us ${ddl.int},
        check ((state = 'running') = (ended_us is null))
      ) ${ddl.end}`,
      'create index relay_replays_project on relay_replays (project_id, created_us)',
      `create index relay_replays_running on relay_replays (seen_us) where state = 'running'`,
      'create index relay_replays_ended on relay_replays (ended_us)',
      `create table relay_replay_steps (
        replay_id ${ddl.text} not null,
        number ${ddl.int} not null check (number > 0),
        state ${ddl.text} not null check (state in ('waiting', 'sending', 'sent', 'skipped', 'unknown')),
        reason ${ddl.text},
        agent ${ddl.text} not null,
        peer_id ${ddl.text} not null,
        exact ${ddl.int} not null check (exact in (0, 1)),
        streams ${ddl.int} not null check (streams in (0, 1)),
        trace_id ${ddl.text} not null,
        span_id ${ddl.text} not null,
        context_id ${ddl.text},
        new_trace_id ${ddl.text} unique,
        new_context_id ${ddl.text},
        check (state in ('waiting', 'skipped') or new_trace_id is not null),
        check ((state in ('skipped', 'unknown')) = (reason is not null)),
        primary key (replay_id, number)
      ) ${ddl.end}`,
    ],
  },
];
