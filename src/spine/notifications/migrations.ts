import type { Migration } from '../storage/migration.ts';

export const notificationMigrations: readonly Migration[] = [
  {
    name: 'notifications/0001-channels',
    statements: (ddl) => [
      `create table notification_channels (
        channel_id ${ddl.text} primary key,
        actor_id ${ddl.text} not null references actors (actor_id),
        kind ${ddl.text} not null check (kind in ('browser', 'email', 'webhook', 'slack', 'ntfy')),
        label ${ddl.text} not null,
        shown ${ddl.text} not null,
        sealed ${ddl.text} not null,
        salt ${ddl.text} not null,
        rules ${ddl.text} not null,
        content ${ddl.text} not null check (content in ('nothing', 'kind', 'title')),
        quiet ${ddl.text} not null,
        zone ${ddl.text} not null,
        digest_at ${ddl.text} not null,
        paused ${ddl.int} not null check (paused in (0, 1)),
        created_at ${ddl.text} not null,
        created_us ${ddl.int} not null
      ) ${ddl.end}`,
      'create index notification_channels_by_actor on notification_channels (actor_id, created_us)',
      `create table notification_mail (
        account_id ${ddl.text} primary key check (account_id = 'mail'),
        host ${ddl.text} not null,
        port ${ddl.int} not null,
        security ${ddl.text} not null check (security in ('tls', 'starttls', 'none')),
        sender ${ddl.text} not null,
        sealed ${ddl.text} not null,
        set_by ${ddl.text} not null,
        set_at ${ddl.text} not null
      ) ${ddl.end}`,
      // Told once: a thing has one row in a channel, whoever finds it and however often.
      `create table notification_deliveries (
        seq ${ddl.serial},
        channel_id ${ddl.text} not null references notification_channels (channel_id) on delete cascade,
        notice_key ${ddl.text} not null,
        kind ${ddl.text} not null,
        project_id ${ddl.text} not null,
        risk ${ddl.text},
        item_id ${ddl.text},
        due_us ${ddl.int} not null,
        created_us ${ddl.int} not null,
        message_id ${ddl.text},
        unique (channel_id, notice_key)
      ) ${ddl.end}`,
      'create index notification_waiting on notification_deliveries (channel_id, due_us) where message_id is null',
      'create index notification_told on notification_deliveries (message_id) where message_id is not null',
      'create index notification_old on notification_deliveries (created_us)',
      `create table notification_messages (
        message_id ${ddl.text} primary key,
        channel_id ${ddl.text} not null references notification_channels (channel_id) on delete cascade,
        state ${ddl.text} not null
          check (state in ('queued', 'sending', 'sent', 'failed', 'unknown', 'withdrawn')),
        origin ${ddl.text} not null,
        things ${ddl.int} not null,
        created_us ${ddl.int} not null,
        ended_us ${ddl.int},
        error ${ddl.text}
      ) ${ddl.end}`,
      'create index notification_messages_by_channel on notification_messages (channel_id, created_us)',
      `create table notification_cursor (
        name ${ddl.text} primary key,
        leaf ${ddl.int} not null,
        looked_us ${ddl.int} not null
      ) ${ddl.end}`,
    ],
  },
];
