import type { Migration } from '../storage/migration.ts';

export const inboxMigrations: readonly Migration[] = [
  {
    name: 'inbox/0001-items',
    statements: (ddl) => [
      `create table inbox_items (
        seq ${ddl.serial},
        item_id ${ddl.text} not null unique,
        project_id ${ddl.text} not null,
        kind ${ddl.text} not null,
        state ${ddl.text} not null
          check (state in ('open', 'decided', 'applied', 'failed', 'superseded', 'expired')),
        requested_by ${ddl.text} not null,
        requested_by_type ${ddl.text} not null,
        subject_type ${ddl.text} not null,
        subject_id ${ddl.text} not null,
        digest ${ddl.text} not null,
        rule ${ddl.text} not null,
        title ${ddl.text} not null,
        risk ${ddl.text} not null check (risk in ('low', 'medium', 'high', 'critical')),
        opened_at ${ddl.text} not null,
        opened_us ${ddl.int} not null,
        expires_at ${ddl.text},
        expires_us ${ddl.int},
        unblocks ${ddl.text} not null,
        edits_allowed ${ddl.int} not null check (edits_allowed in (0, 1)),
        humans_only ${ddl.int} not null check (humans_only in (0, 1)),
        salt ${ddl.text} not null,
        decision ${ddl.text} check (decision in ('approve', 'reject', 'approve_with_edits')),
        decided_by ${ddl.text},
        decided_by_type ${ddl.text},
        decided_credential ${ddl.text},
        decided_at ${ddl.text},
        note ${ddl.text},
        edits ${ddl.text},
        edits_hash ${ddl.text},
        reason ${ddl.text},
        check (decided_by <> requested_by),
        check ((decision is null) = (decided_by is null)),
        check (state not in ('decided', 'applied', 'failed') or decision is not null),
        check (state not in ('open', 'expired') or decision is null)
      ) ${ddl.end}`,
      `create unique index inbox_one_open_per_subject on inbox_items (project_id, kind, subject_type, subject_id)
        where state = 'open'`,
      'create index inbox_by_state on inbox_items (state, seq)',
      "create index inbox_expiry on inbox_items (expires_us) where state = 'open'",
    ],
  },
  {
    // Who asked through whom, who may decide, what may be chosen, and whether it tells of a person.
    name: 'inbox/0002-who-decides',
    statements: (ddl) => [
      `alter table inbox_items add column requested_for ${ddl.text}
        check (decided_by is null or requested_for is null or decided_by <> requested_for)`,
      `alter table inbox_items add column requested_for_type ${ddl.text}`,
      `alter table inbox_items add column requested_with ${ddl.text}`,
      `alter table inbox_items add column deciders ${ddl.text}`,
      `alter table inbox_items add column owner_decides ${ddl.int} not null default 0 check (owner_decides in (0, 1))`,
      `alter table inbox_items add column personal ${ddl.int} not null default 0 check (personal in (0, 1))`,
      "update inbox_items set personal = 1 where kind = 'memory_proposal'",
      `alter table inbox_items add column choices ${ddl.text} not null default '[]'`,
      `alter table inbox_items add column choice ${ddl.text}
        check (choice is null or decision in ('approve', 'approve_with_edits'))`,
      `create index inbox_open_by_risk on inbox_items
        ((case risk when 'critical' then 0 when 'high' then 1 when 'medium' then 2 else 3 end), seq)
        where state = 'open'`,
      `create index inbox_open_by_expiry on inbox_items ((coalesce(expires_us, 9007199254740991)), seq)
        where state = 'open'`,
      "create index inbox_open_deciders on inbox_items (deciders) where state = 'open' and deciders is not null",
    ],
  },
  {
    // Several people have to agree: each is a vote, and the last one decides. Null where one is enough.
    name: 'inbox/0003-quorum',
    statements: (ddl) => [
      `alter table inbox_items add column quorum ${ddl.int} check (quorum >= 2)`,
      `create table inbox_votes (
        item_id ${ddl.text} not null references inbox_items (item_id),
        actor_id ${ddl.text} not null,
        choice ${ddl.text},
        credential ${ddl.text} not null,
        voted_at ${ddl.text} not null,
        primary key (item_id, actor_id)
      ) ${ddl.end}`,
    ],
  },
  {
    // Many a day: like requests have one key, a decision may be held back for a moment, and a person may put an item aside.
    name: 'inbox/0004-many-a-day',
    statements: (ddl) => [
      `alter table inbox_items add column like_key ${ddl.text}`,
      `alter table inbox_items add column held_until ${ddl.text}`,
      `create index inbox_open_by_urgency on inbox_items
        ((coalesce(expires_us, 9007199254740991) / 60000000 * 4
          + (case risk when 'critical' then 0 when 'high' then 1 when 'medium' then 2 else 3 end)), seq)
        where state = 'open'`,
      "create index inbox_open_alike on inbox_items (like_key) where state = 'open' and like_key is not null",
      `create index inbox_decided_alike on inbox_items (decided_by, like_key, seq)
        where decided_by is not null and like_key is not null`,
      `create table inbox_asides (
        item_id ${ddl.text} not null references inbox_items (item_id),
        actor_id ${ddl.text} not null,
        until_us ${ddl.int},
        until_at ${ddl.text},
        handed_to ${ddl.text},
        set_at ${ddl.text} not null,
        primary key (item_id, actor_id),
        check ((until_us is null) <> (handed_to is null)),
        check ((until_us is null) = (until_at is null)),
        check (handed_to is null or handed_to <> actor_id)
      ) ${ddl.end}`,
      'create index inbox_asides_handed on inbox_asides (handed_to) where handed_to is not null',
    ],
  },
];
